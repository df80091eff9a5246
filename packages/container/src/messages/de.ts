import type { Messages } from './messages.ts';

/** Die eigenen Texte des Containers auf Deutsch. */
export const de: Messages = {
  thisApp: 'Diese App',
  loading: '{title} wird geladen …',
  notAvailable: '{title} ist nicht verfügbar',
  tryAgain: 'Noch einmal versuchen',
  silent: 'Sie ist nicht rechtzeitig gestartet.',
  version: 'Sie wurde für eine andere Version dieser Website gemacht.',
  malformed: 'Sie hat gesendet, was die Seite nicht versteht, und wurde angehalten.',
  flood: 'Sie hat die Seite zu sehr beschäftigt und wurde angehalten.',
  reloads: 'Sie hat immer wieder neu geladen und wurde angehalten.',
  appAsks: 'Die App „{title}“ fragt',
  ok: 'OK',
  cancel: 'Abbrechen',
  close: 'Schließen',
  back: 'Zurück',
  confirmTitle: 'Sicher?',
  share: 'Teilen',
  shareText: 'Was geteilt wird',
  copy: 'Kopieren',
  openLink: 'Öffnen',
  openLinkTitle: '{host} öffnen?',
  openMailTitle: 'Eine E-Mail schreiben?',
  openLinkText: 'Das führt von dieser Website weg, in einem neuen Tab:',
  notices: 'Hinweise von Apps',
  resizeLoop: 'Sie hat ihre Höhe immer wieder geändert und behält nun eine.',
};
