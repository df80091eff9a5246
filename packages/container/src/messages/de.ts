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
  options: 'Optionen für {title}',
  stop: 'Anhalten',
  reload: 'Neu laden',
  stopped: '{title} wurde angehalten',
  stoppedText: 'Bis zum nächsten Start tut die App nichts.',
  startAgain: 'Wieder starten',
  unresponsive: '{title} reagiert nicht.',
  unresponsiveTogether: '{count} Apps reagieren nicht. Vielleicht hält eine von ihnen die anderen auf.',
  wait: 'Warten',
  stopAll: 'Alle anhalten',
  reloadAll: 'Alle neu laden',
  busy: 'Sie hat immer wieder nicht reagiert und wurde angehalten.',
  appAsks: 'Die App „{title}“ fragt',
  permissions: 'Erlaubnisse …',
};
