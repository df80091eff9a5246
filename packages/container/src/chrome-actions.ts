/** Actions of apps that need the chrome, which is loaded when the first one is called. */
export const chromeActions = [
  'error',
  'adjustHeight',
  'setTitle',
  'announce',
  'focus.leave',
  'key',
  'views.navigate',
  'ui.toast',
  'ui.dialog',
  'ui.confirm',
  'ui.share',
  'ui.openLink',
  'permissions.request',
  'permissions.has',
  'state.get',
  'state.set',
] as const;
export type ChromeAction = (typeof chromeActions)[number];
