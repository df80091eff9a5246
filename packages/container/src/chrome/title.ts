import type { Action, Place } from '../place.ts';

const maxLength = 100;

/** Lets an app say what it shows: in its heading and as the name of its frame, until the app is loaded anew. */
export function createTitle({ gadget, retitle, tell }: Place): {
  readonly actions: { readonly setTitle: Action };
  end(): void;
} {
  const { app } = gadget.context;
  let isChanged = false;

  return {
    actions: {
      setTitle(text) {
        const wanted = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim().slice(0, maxLength) : '';
        const title = wanted || app.title;
        isChanged = true;
        retitle(title);
        tell('gantry-title', { app: app.id, title });
      },
    },
    end: () => isChanged && retitle(),
  };
}
