import { SocialError } from '@gantry/wire';
import type { Gadget } from './gadget.ts';

/** Place of an app's state: a gadget on its page, over all of its loads. */
export interface Spot {
  readonly gadget: Gadget;
  /** Stands for the place as long as its page does. */
  readonly key: object;
  /** Tells the place from others after a reload of the page, too. */
  name(): readonly (string | number)[];
}

const limit = 64 * 1024; // bytes of JSON text

interface Kept {
  readonly key: string;
  /** Registration, viewer, app and owner: what an element kept for one of them is not another's. */
  readonly scope: string;
  text: string | undefined;
  /** Made of `text` when it is first asked for: apps may ask often. */
  value?: unknown;
}

// With its place it survives a reload of the app and a move; beside it, in `sessionStorage`, a reload of the page.
const kept = new WeakMap<object, Kept>();

/** The value that the app last set here for this viewer and owner. Where it has set none: a tool's, or undefined. */
export function getState(spot: Spot): unknown {
  const here = keptAt(spot);
  if (here.text !== undefined) here.value ??= JSON.parse(here.text);
  return here.value;
}

/**
 * @param value Plain data; undefined forgets what there was.
 * @throws SocialError TOO_LARGE for more than 64 KiB of JSON text. What was set before stays.
 */
export function setState(spot: Spot, value: unknown): void {
  const text: string | undefined = JSON.stringify(value);
  if (text !== undefined && (text.length > limit || new TextEncoder().encode(text).length > limit)) {
    throw new SocialError('TOO_LARGE', `An app may keep ${limit} bytes of JSON text here.`);
  }
  const here = keptAt(spot);
  here.text = text;
  here.value = undefined;
  try {
    const texts = spot.gadget.texts();
    if (text === undefined) texts.removeItem(here.key);
    else texts.setItem(here.key, text);
  } catch {
    // denied or full: then it survives as long as the element does
  }
}

function keptAt({ key: spot, name, gadget }: Spot): Kept {
  const { upstream, context } = gadget;
  const { app, viewer, owner } = context;
  const scope = JSON.stringify([upstream, viewer, app.id, owner]);
  let here = kept.get(spot);
  if (here?.scope !== scope) {
    const key = `${statesOf(viewer)} ${JSON.stringify([upstream, app.id, owner, ...name()])}`;
    here = { key, scope, text: stored(gadget, key) ?? JSON.stringify(gadget.tools.state) };
    kept.set(spot, here);
  }
  return here;
}

/** Returns the spot of an element on a page. */
export function spotOf({ element, gadget }: { readonly element: Element; readonly gadget: Gadget }): Spot {
  return { gadget, key: element, name: () => [location.pathname, placeOf(element)] };
}

/** Its id, or which of the same app's elements it is, in the order of the page: what is the same after a reload of the page. */
function placeOf(element: Element): string | number {
  if (element.id) return element.id;
  const app = element.getAttribute('app') ?? '';
  const alike = (element.getRootNode() as ParentNode).querySelectorAll(
    `${element.localName}[app="${CSS.escape(app)}"]`,
  );
  return [...alike].indexOf(element);
}

function stored(gadget: Gadget, key: string): string | undefined {
  try {
    const text = gadget.texts().getItem(key) ?? undefined;
    if (text !== undefined) JSON.parse(text); // anything on the site's origin may have written there
    return text;
  } catch {
    return undefined;
  }
}

/** Beginning of the names under which the states of a viewer stand in `sessionStorage`. */
function statesOf(viewer: string | undefined): string {
  return `${states}${JSON.stringify(viewer ?? null)}`;
}

const states = 'gantry.state ';

/** Whoever looked at this page before: their states are gone before an app of this viewer can ask for its own. */
export function forgetOthers(gadget: Gadget): void {
  const mine = statesOf(gadget.context.viewer);
  try {
    const texts = gadget.texts();
    const keys = Array.from({ length: texts.length }, (_, index) => texts.key(index) as string);
    for (const key of keys) if (key.startsWith(states) && !key.startsWith(mine)) texts.removeItem(key);
  } catch {
    // denied: then nothing was kept there
  }
}
