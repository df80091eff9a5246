import type { Action } from '@gantry/container/without-page';
import { SocialError } from '@gantry/wire';

const inBrowser = 'Test it in a browser: with `test` of @gantry/testing and Playwright.';

/** Sentences about features that a host in Node lacks. */
export const absent = {
  page: 'A host in Node has no page, no element and no frame.',
  sizing: 'A host in Node has no frame, so no height is measured or set.',
  announce: 'A host in Node has no live region that a screen reader would read.',
  focus: 'A host in Node has no focus and no keys.',
  navigation: 'A host in Node loads no other page of the app: open it there with `view`.',
  dialogs: 'A host in Node shows no toasts, no dialogs and no links.',
  consent: 'A host in Node asks no member for permissions: `permissions` of the scenario decides about them.',
  heartbeat: 'A host in Node sends no heartbeat and starts no app anew.',
} as const;

/** Makes the error of a missing feature. */
export function isAbsent(what: keyof typeof absent): SocialError {
  return new SocialError('NOT_IMPLEMENTED', `${absent[what]} ${inBrowser}`);
}

/** Actions that this host refuses, with the feature that they need. */
export const absentActions: Readonly<Record<string, Action>> = Object.fromEntries(
  Object.entries({
    adjustHeight: 'sizing',
    announce: 'announce',
    'focus.leave': 'focus',
    key: 'focus',
    'ui.toast': 'dialogs',
    'ui.dialog': 'dialogs',
    'ui.confirm': 'dialogs',
    'ui.share': 'dialogs',
    'ui.openLink': 'dialogs',
  } as const).map(([name, what]): [string, Action] => [
    name,
    () => {
      throw isAbsent(what);
    },
  ]),
);
