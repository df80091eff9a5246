import type { LaterAction } from '../features/later.ts';
import { forgetOthers, getState, setState, spotOf } from '../instance-state.ts';
import { type ChromeMessages, withChromeMessages } from '../messages/chrome-messages.ts';
import type { Action, Place } from '../place.ts';
import { createAnnouncing } from './announce.ts';
import { createAsking } from './asking.ts';
import { createErrors } from './errors.ts';
import { keepPlace } from './keep-place.ts';
import { createKeyboard } from './keyboard.ts';
import { createNavigation } from './navigation.ts';
import { watchNotAdded } from './not-added.ts';
import { createSizing } from './sizing.ts';
import { createTitle } from './title.ts';
import { watchLook } from './watch-look.ts';
import { watchPresence } from './watch-presence.ts';
import { watchUnused } from './watch-unused.ts';

/** What the container does for an app from when it is ready to the end of its load. */
export interface Attendance {
  readonly actions: Readonly<Record<LaterAction, Action>>;
  /** To a view, because the member wants it. */
  go(view: string): void;
  end(): void;
}

/** A place with all of the container's texts. */
export type ChromePlace = Place & { readonly messages: ChromeMessages };

export async function attend(bare: Place): Promise<Attendance> {
  const place: ChromePlace = { ...bare, messages: await withChromeMessages(bare.messages, bare.locale) };
  place.gadget.onGranted = place.update;
  forgetOthers(place.gadget);
  const spot = spotOf(place);
  const [sizing, title, navigation, asking] = [
    createSizing(place),
    createTitle(place),
    createNavigation(place),
    createAsking(place),
  ];
  const keyboard = createKeyboard(place, navigation.leave);
  const announcing = createAnnouncing(place);
  const ends = [
    sizing.end,
    title.end,
    navigation.end,
    asking.end,
    watchLook(place),
    watchPresence(place),
    watchUnused(place),
    keepPlace(place),
    watchNotAdded(place),
  ];
  return {
    actions: {
      ...sizing.actions,
      ...title.actions,
      ...navigation.actions,
      ...asking.actions,
      ...keyboard.actions,
      ...announcing.actions,
      ...createErrors(place).actions,
      'state.get': () => getState(spot),
      'state.set': (value) => setState(spot, value),
    },
    go: navigation.go,
    end() {
      for (const end of ends) end();
    },
  };
}
