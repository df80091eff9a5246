/** The container's own texts in English. `{name}` is filled in. Every other language has the same keys. */
export const en = {
  thisApp: 'This app',
  loading: 'Loading {title}…',
  notAvailable: '{title} is not available',
  tryAgain: 'Try again',
  silent: 'It did not start in time.',
  version: 'It was made for another version of this site.',
  malformed: 'It sent what the page does not understand, so it was stopped.',
  flood: 'It kept the page too busy, so it was stopped.',
  reloads: 'It reloaded again and again, so it was stopped.',
  appAsks: 'The app “{title}” asks',
} as const;
