import { shownName } from '@gantry/wire';
import { perTick } from '../calls/per-tick.ts';
import type { Actions, BarePlace } from '../gadget.ts';
import { readLine } from './app-text.ts';

const maxLength = 100;
const drawnMs = 50; // each title renders the gadget and dispatches an event

/** Lets an app set the gadget's heading and the name of its frame, until the app is reloaded. */
export function createTitle({ gadget, retitle, dispatch }: BarePlace): {
  readonly actions: Actions<'setTitle'>;
  end(): void;
} {
  const { app } = gadget.context;
  let isOver = false;
  let current: string | undefined;

  const show = perTick<string>((titles) => {
    const title = titles.at(-1) as string;
    if (isOver || title === current) return;
    current = title;
    retitle(title);
    dispatch('gantry-title', { app: app.id, title });
  }, drawnMs);

  return {
    actions: {
      setTitle(text) {
        const title = shownName(readLine(text, maxLength));
        show(title || app.title);
      },
    },
    end() {
      isOver = true;
      if (current !== undefined) retitle();
    },
  };
}
