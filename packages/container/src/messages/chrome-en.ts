/** Texts of what the container shows only when an app asks for it, in English; fetched with the code that shows them. */
export const chromeEn = {
  ok: 'OK',
  cancel: 'Cancel',
  back: 'Back',
  confirmTitle: 'Are you sure?',
  share: 'Share',
  shareText: 'What is shared',
  copy: 'Copy',
  openLink: 'Open',
  openLinkTitle: 'Leave this site?',
  openMailTitle: 'Write an email?',
  openOwnTitle: 'Open a page of this site?',
  openOwnText: 'What you allow, remove or send there counts. A new tab opens at:',
  openLinkText: 'A new tab opens at:',
  openMailText: 'Your mail program opens, with a message to:',
  notices: 'Notices of apps',
  resizeLoop: 'It changed its height again and again, so it is held at one.',
} as const;
