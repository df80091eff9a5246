import { type PermissionWords, permissionWords } from '@gantry/wire';

/** What the container says when it asks members for permissions, in English: fetched when it does. */
export const consentEn = {
  language: 'en',
  sentences: permissionWords as PermissionWords,
  asks: '{title} would like to',
  asksMore: '{title} would now also like to',
  remoteAsks: '{title} is not part of this site',
  allow: 'Allow',
  notNow: 'Not now',
  review: 'Review',
  waits: '{title} waits for your permission',
  waitsText: 'It starts when you allow what it needs.',
  takeBackHint: 'You can take this back at any time.',
  failed: 'That did not work. Try again.',
  manageTitle: 'What {title} may do',
  needs: 'It may',
  chosen: 'If you like, it may also',
  nothing: 'It may do nothing for you.',
  takeBack: 'Take all of it back',
  removesData: 'When I take all of it back, also remove what it has saved for me',
  save: 'Save',
};

/** Every other language has the same keys. */
export type ConsentMessages = Readonly<typeof consentEn>;
