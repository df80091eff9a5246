import type { Attendance } from '../chrome/attend.ts';
import type { Action, Feature, Place } from '../place.ts';

const actions = [
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

/** What no first paint needs: its code is fetched when the first app of the page is ready. */
export function createLater(place: Place): Feature {
  let attendance: Promise<Attendance> | undefined;

  return {
    actions: Object.fromEntries(
      actions.map((name): [string, Action] => [name, async (...args) => (await attendance)?.actions[name](...args)]),
    ),
    ready() {
      attendance = import('../chrome/attend.ts').then(({ attend }) => attend(place));
      attendance.catch(() => {}); // offline: the app is there all the same
    },
    end() {
      attendance?.then(({ end }) => end()).catch(() => {});
    },
  };
}

export type LaterAction = (typeof actions)[number];
