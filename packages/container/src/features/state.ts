import type { Feature, Place } from '../place.ts';

/** What an app keeps for its place on the page. The code is fetched when an app first asks for it. */
export function createState(place: Place): Feature {
  forgetOthers(statesOf(place.gadget.context.viewer));
  return {
    actions: {
      'state.get': async () => (await import('../instance-state.ts')).getState(place),
      'state.set': async (value) => (await import('../instance-state.ts')).setState(place, value),
    },
  };
}

/** Beginning of the names under which the states of a viewer stand in `sessionStorage`. */
export function statesOf(viewer: string | undefined): string {
  return `${states}${JSON.stringify(viewer ?? null)}`;
}

const states = 'gantry.state ';

/** Whoever looked at this page before: their states are gone before an app of the present viewer runs. */
function forgetOthers(mine: string): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(states) && !key.startsWith(mine)) sessionStorage.removeItem(key);
    }
  } catch {
    // denied: then nothing was kept there
  }
}
