import type { ChromeMessages } from './chrome-messages.ts';

/** Dasselbe auf Deutsch. */
export const chromeDe: ChromeMessages = {
  ok: 'OK',
  cancel: 'Abbrechen',
  back: 'Zurück',
  confirmTitle: 'Sicher?',
  share: 'Teilen',
  shareText: 'Was geteilt wird',
  copy: 'Kopieren',
  openLink: 'Öffnen',
  openLinkTitle: 'Diese Website verlassen?',
  openMailTitle: 'Eine E-Mail schreiben?',
  openOwnTitle: 'Eine Seite dieser Website öffnen?',
  openOwnText: 'Was du dort erlaubst, entfernst oder absendest, gilt. Ein neuer Tab öffnet sich bei:',
  openLinkText: 'Ein neuer Tab öffnet sich bei:',
  openMailText: 'Dein Mailprogramm öffnet sich mit einer Nachricht an:',
  notices: 'Hinweise von Apps',
  resizeLoop: 'Sie hat ihre Höhe immer wieder geändert und behält nun eine.',
  notAdded: '{title} kann hier nichts für dich speichern.',
  notAddedText: 'Dafür muss diese Website sie erst zu deinen Apps hinzufügen.',
};
