import { SocialError } from '@gantry/wire';
import type { Gadget } from './gadget.ts';

/** A gadget in its place on a page, over all loads of its app. */
export interface HostedGadget {
  readonly gadget: Gadget;
  /** The gadget's element, or what stands for one. */
  readonly host: object;
  /** Names the gadget on its page, also after a reload of the page. */
  name(): readonly (string | number)[];
}

const limit = 64 * 1024; // bytes of JSON text

interface Kept {
  readonly key: string;
  /** Registration, viewer, app and owner, which share no state. */
  readonly scope: string;
  text: string | undefined;
  /** Parsed from `text` at the first use. */
  value?: unknown;
}

// Lives as long as its host, and in `sessionStorage` beyond a reload of the page.
const hostStates = new WeakMap<object, Kept>();

/** Returns the app's state for this viewer and owner, or else the tool's. */
export function getState(hosted: HostedGadget): unknown {
  const here = keptAt(hosted);
  if (here.text !== undefined) here.value ??= JSON.parse(here.text);
  return here.value;
}

/**
 * Sets the app's state; undefined removes it.
 *
 * @throws SocialError TOO_LARGE for more than 64 KiB of JSON text. The state before it stays.
 */
export function setState(hosted: HostedGadget, value: unknown): void {
  const text: string | undefined = JSON.stringify(value);
  if (text !== undefined && (text.length > limit || new TextEncoder().encode(text).length > limit)) {
    throw new SocialError('TOO_LARGE', `An app may keep ${limit} bytes of JSON text here.`);
  }
  const here = keptAt(hosted);
  here.text = text;
  here.value = undefined;
  try {
    const texts = hosted.gadget.texts();
    if (text === undefined) texts.removeItem(here.key);
    else texts.setItem(here.key, text);
  } catch {
    // denied or full: then it survives as long as the element does
  }
}

function keptAt({ host, name, gadget }: HostedGadget): Kept {
  const { upstream, context } = gadget;
  const { app, viewer, owner } = context;
  const scope = JSON.stringify([upstream, viewer, app.id, owner]);
  let here = hostStates.get(host);
  if (here?.scope !== scope) {
    const key = `${statesOf(viewer)} ${JSON.stringify([upstream, app.id, owner, ...name()])}`;
    here = { key, scope, text: stored(gadget, key) ?? JSON.stringify(gadget.tools.state) };
    hostStates.set(host, here);
  }
  return here;
}

export function hostedGadget({
  element,
  gadget,
}: {
  readonly element: Element;
  readonly gadget: Gadget;
}): HostedGadget {
  return { gadget, host: element, name: () => [location.pathname, placeOf(element)] };
}

/** Returns the element's id, or its position among those of the same app. */
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

/** Prefix of a viewer's states in `sessionStorage`. */
function statesOf(viewer: string | undefined): string {
  return `${states}${JSON.stringify(viewer ?? null)}`;
}

const states = 'gantry.state ';

/** Removes the states of other viewers, before an app of this viewer reads its own. */
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
