import type { Place } from '../gadget.ts';
import { forgetOthers, getState, hostedGadget, setState } from '../instance-state.ts';
import type { MountedChrome } from '../place.ts';
import { createAnnouncements } from './announce.ts';
import { createAppDialogs, type FetchPermissionDialog } from './app-dialogs.ts';
import { awaitVersion, type FetchVersionWatch } from './await-version.ts';
import { createErrors } from './errors.ts';
import { createKeyboard } from './keyboard.ts';
import { createNavigation } from './navigation.ts';
import { watchNotAdded } from './not-added.ts';
import { passFocusOn } from './pass-focus-on.ts';
import { createSizing } from './sizing.ts';
import { createTitle } from './title.ts';
import { watchTheme } from './watch-theme.ts';
import { watchUnused } from './watch-unused.ts';
import { watchVisibility } from './watch-visibility.ts';

/** Starts everything that the container does for a ready app, and returns its actions. */
export function mountChrome(
  place: Place,
  later: { readonly fetchPermissionDialog: FetchPermissionDialog; readonly fetchVersionWatch: FetchVersionWatch },
): MountedChrome {
  place.gadget.onGranted = place.update;
  forgetOthers(place.gadget);
  const hosted = hostedGadget(place);
  const sizing = createSizing(place);
  const title = createTitle(place);
  const navigation = createNavigation(place);
  const dialogs = createAppDialogs(place, later.fetchPermissionDialog);
  const ends = [
    sizing.end,
    title.end,
    navigation.end,
    dialogs.end,
    watchTheme(place),
    watchVisibility(place),
    watchUnused(place),
    passFocusOn(place),
    watchNotAdded(place),
    awaitVersion(place, later.fetchVersionWatch),
  ];
  return {
    actions: {
      ...sizing.actions,
      ...title.actions,
      ...navigation.actions,
      ...dialogs.actions,
      ...createKeyboard(place, navigation.leave),
      ...createAnnouncements(place),
      ...createErrors(place).actions,
      'state.get': () => getState(hosted),
      'state.set': (value) => setState(hosted, value),
    },
    go: navigation.go,
    end() {
      for (const end of ends) end();
    },
  };
}
