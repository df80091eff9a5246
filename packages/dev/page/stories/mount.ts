// The contract of Playwright's built-in `mount` fixture: `window.mount(params)` and
// `window.unmount()`, rendering into #root.
import type { MountableStory } from '@gantry/dev/protocol';
import type { StoryProps } from '@gantry/lab';
import type { Observe } from '@gantry/wire';
import { connectFrames, type Frames } from '../connect-frames.ts';
import { openStory } from '../server.ts';
import { type ShownStory, showStory } from './show-story.ts';

/** Arguments of `mount(story, props)` as Playwright passes them on. A function runs in the test. */
export interface MountParams {
  readonly story: string;
  readonly props?: Readonly<Record<string, unknown>> | undefined;
}

type Callbacks = Pick<StoryProps, 'onReady' | 'onCall' | 'onEvent'>;
const callbackNames: readonly (keyof Callbacks)[] = ['onReady', 'onCall', 'onEvent'];

let mounted: { readonly story: MountableStory; readonly shown: ShownStory } | undefined;
let callbacks: Callbacks = {};
let frames: Frames | undefined;

/**
 * Shows a story in `#root`, or, after a first call, other props of it: the app and `gantry.state`
 * stay where they can.
 *
 * @returns A promise that is kept when the gadget is ready or asks for consent.
 * @throws Error that says what is wrong, and which stories there are.
 */
export async function mount({ story: id, props = {} }: MountParams): Promise<void> {
  const entries = Object.entries(props);
  const functions = entries.filter(([, value]) => typeof value === 'function');
  refuseUnknown(id, functions);
  const data = Object.fromEntries(entries.filter(([, value]) => typeof value !== 'function'));
  const story = await openStory({ story: id, props: data });
  callbacks = Object.fromEntries(functions);
  if (mounted?.story.id === id && mounted.shown.update(story)) return;
  await show(story);
}

/** Removes the story, and closes its lab. */
export async function unmount(): Promise<void> {
  mounted?.shown.close();
  mounted = undefined;
  rootElement().replaceChildren();
}

async function show(story: MountableStory): Promise<void> {
  mounted?.shown.close();
  mounted = undefined;
  const place = document.createElement('div');
  place.className = 'story-place';
  rootElement().replaceChildren(place);
  frames ??= connectFrames({
    shown: () => (mounted ? [mounted.shown.facts] : []),
    events: { subscribe: () => () => {}, close() {} }, // each stream would use one of the six connections of a browser
  });
  const shown = await showStory(place, story, { follows: true, observe, report: frames.report });
  mounted = { story, shown };
  shown.gadget.addEventListener('gantry-ready', () => call(callbacks.onReady));
  await shown.settled;
}

const observe: Observe = (observed) => {
  if (observed.kind === 'call') {
    const { operation, params } = observed;
    call(callbacks.onCall, { operation, params });
  } else if (observed.kind === 'event') {
    const { name, data } = observed;
    call(callbacks.onEvent, { name, data });
  }
};

/** Wraps Playwright's functions, whose promises reject after the test. */
function call<Argument>(callback: ((argument: Argument) => unknown) | undefined, argument?: Argument): void {
  Promise.resolve(callback?.(argument as Argument)).catch(() => {});
}

function refuseUnknown(id: string, functions: readonly (readonly [name: string, value: unknown])[]): void {
  for (const [name] of functions) {
    if ((callbackNames as readonly string[]).includes(name)) continue;
    const hint = name === 'world' ? ' A function that makes a world stands in the story.' : '';
    throw new Error(`${id}: ${name} must not be a function. Callbacks are ${callbackNames.join(', ')}.${hint}`);
  }
}

function rootElement(): HTMLElement {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  return root;
}

/** Exposes `mount` to tests. Call it at once: a test mounts as soon as the page has loaded. */
export function exposeMount(): void {
  addEventListener('pagehide', () => mounted?.shown.close());
  Object.assign(window, { mount, unmount });
}
