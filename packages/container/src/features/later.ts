import type { Attendance } from '../chrome/attend.ts';
import type { Action, Feature, Place } from '../place.ts';

const actions = [
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

/** What no first paint needs: it begins when the apps of the page are ready, or one of them asks for it. */
export function createLater(place: Place): Feature {
  let attendance: Promise<Attendance> | undefined;
  let attended: Attendance | undefined;
  let isOver = false;
  let letGo = () => {};

  // From the start: an app need not say hello to take the focus.
  import('../chrome/keep-focus.ts')
    .then(({ keepFocus }) => {
      if (!isOver) letGo = keepFocus(place);
    })
    .catch(() => {});

  function begin(): Promise<Attendance> {
    attendance ??= import('../chrome/attend.ts').then(async ({ attend }) => {
      attended = await attend(place);
      return attended;
    });
    attendance.catch(() => {
      attendance = undefined; // the network may be back when the app asks again
    });
    return attendance;
  }
  async function go(view: string): Promise<void> {
    const { go } = await begin();
    if (!isOver) go(view);
  }
  return {
    actions: Object.fromEntries(
      actions.map((name): [string, Action] => [
        name,
        // Without a promise where it can be: the time that it takes then counts for the port.
        (...args) =>
          attended ? attended.actions[name](...args) : begin().then((begun) => begun.actions[name](...args)),
      ]),
    ),
    ready() {
      place.gadget.go = (view) => void go(view).catch(() => {});
      place
        .whenArrived()
        .then(() => (isOver ? undefined : begin()))
        .catch(() => {}); // offline: the app is there all the same
    },
    end() {
      isOver = true;
      letGo();
      place.gadget.go = undefined;
      attendance?.then(({ end }) => end()).catch(() => {});
    },
  };
}

export type LaterAction = (typeof actions)[number];
