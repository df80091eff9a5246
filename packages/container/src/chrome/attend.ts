import type { LaterAction } from '../features/later.ts';
import type { Action, Place } from '../place.ts';
import { createAsking } from './asking.ts';
import { createNavigation } from './navigation.ts';
import { watchLook } from './watch-look.ts';
import { watchPresence } from './watch-presence.ts';

/** What the container does for an app from when it is ready to the end of its load. */
export interface Attendance {
  readonly actions: Readonly<Record<LaterAction, Action>>;
  end(): void;
}

const maxTitle = 100;

export function attend(place: Place): Attendance {
  const { frame, gadget, retitle, tell } = place;
  const navigation = createNavigation(place);
  const asking = createAsking(place);
  const stopWatching = [watchLook(place), watchPresence(place)];
  let isTitled = false;
  gadget.onGranted = place.update;

  return {
    actions: {
      ...asking.actions,
      ...navigation.actions,
      setTitle(text) {
        const title = String(text ?? '')
          .replace(/\s+/g, ' ')
          .trim()
          .slice(0, maxTitle);
        isTitled = true;
        retitle(title || undefined);
        frame.title = title || gadget.context.app.title;
        tell('gantry-title', { app: gadget.context.app.id, title: frame.title });
      },
    },
    end() {
      for (const stop of stopWatching) stop();
      asking.end();
      navigation.end();
      if (isTitled) retitle();
    },
  };
}
