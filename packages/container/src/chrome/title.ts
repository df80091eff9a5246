import { perTick } from '../per-tick.ts';
import type { Action, BarePlace } from '../place.ts';
import { line } from './app-text.ts';

const maxLength = 100;
const drawnMs = 50; // each title has the gadget drawn anew, and the site told

/** Lets an app say what it shows: in its heading and as the name of its frame, until the app is loaded anew. */
export function createTitle({ gadget, retitle, tell }: BarePlace): {
  readonly actions: { readonly setTitle: Action };
  end(): void;
} {
  const { app } = gadget.context;
  let isOver = false;
  let shown: string | undefined;

  const show = perTick<string>((titles) => {
    const title = titles.at(-1) as string;
    if (isOver || title === shown) return;
    shown = title;
    retitle(title);
    tell('gantry-title', { app: app.id, title });
  }, drawnMs);

  return {
    actions: {
      setTitle(text) {
        show(line(text, maxLength) || app.title);
      },
    },
    end() {
      isOver = true;
      if (shown !== undefined) retitle();
    },
  };
}
