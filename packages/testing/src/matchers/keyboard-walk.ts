import type { ElementHandle, JSHandle, Page } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { type Controls, type Focused, findControls } from './keyboard-controls.ts';

/** One position of the focus. */
type Stop =
  | { readonly where: 'before' | 'after' | 'outside' }
  | { readonly where: 'container'; readonly id: number; readonly name: string }
  | { readonly where: 'app'; readonly focused: Focused | undefined };

/** Elements around the gadget that take the focus, and its position in the page. In the page. */
interface Fence {
  start(at: 'before' | 'after'): void;
  focused(): Exclude<Stop, { where: 'app' }> | { readonly where: 'app' };
  remove(): void;
}

interface Walk {
  readonly stops: readonly Stop[];
  /** Reason for which the focus did not leave the gadget. */
  readonly trap?: string;
}

/** Functions in the page and in the app's document. */
interface Probes {
  readonly fence: JSHandle<Fence>;
  readonly controls: JSHandle<Controls>;
}

interface Way {
  readonly key: 'Tab' | 'Shift+Tab';
  readonly from: 'before' | 'after';
  readonly to: 'before' | 'after';
}

const ways: readonly Way[] = [
  { key: 'Tab', from: 'before', to: 'after' },
  { key: 'Shift+Tab', from: 'after', to: 'before' },
];
const mostStops = 500;
const patienceMs = 400; // for a script that moves the focus later, or shows it
/** Frames of both documents that pass besides, however busy their processes are. */
const leastRounds = 5;
/** The same for a focus that no document has: it is on its way from one process to another. */
const movingRounds = 50;

/** Walks by Tab, then back by Shift+Tab. @returns A line for each thing that is wrong. */
export async function walkByKeyboard({ page, element }: ShownGadget): Promise<readonly string[]> {
  const [gadget] = (await element.elementHandles()) as ElementHandle<Element>[];
  const [iframe] = (await element.locator('iframe').elementHandles()) as ElementHandle<Element>[];
  const frame = await iframe?.contentFrame();
  if (!gadget || !iframe || !frame) throw new Error('The gadget has no frame.');
  const fence = await gadget.evaluateHandle(buildFence, iframe);
  try {
    const controls = await frame.evaluateHandle(findControls);
    if ((await controls.evaluate(({ count }) => count)) === 0) throw new Error('the app has no control.');
    const problems: string[] = [];
    for (const way of ways) {
      await start(way, { fence, controls });
      const walk = await go(way, { page, fence, controls });
      problems.push(...(await problemsOf(walk, { key: way.key, controls })));
    }
    return problems;
  } finally {
    await fence.evaluate((one) => one.remove()).catch(() => {}); // the page may be gone
  }
}

async function go({ key, from, to }: Way, { page, ...probes }: Probes & { readonly page: Page }): Promise<Walk> {
  const stops: Stop[] = [];
  const seen = new Set<string>();
  let last: Stop = { where: from };
  for (;;) {
    await page.keyboard.press(key);
    const stop = await nextStop(last, probes);
    if (stop.where === to) return { stops };
    if (keyOf(stop) === keyOf(last)) return { stops, trap: `${key} does not leave ${nameOf(stop)}.` };
    if (stop.where === 'outside' || stop.where === from) {
      return { stops, trap: `${key} from ${nameOf(last)} loses the focus.` };
    }
    if (seen.has(keyOf(stop)))
      return { stops, trap: `${key} goes round in the gadget: from ${nameOf(last)} it is at ${nameOf(stop)} again.` };
    seen.add(keyOf(stop));
    stops.push(stop);
    last = stop;
    if (stops.length > mostStops) return { stops, trap: `${key} has not left the gadget after ${mostStops} stops.` };
  }
}

/** Puts the focus before or behind the gadget. */
async function start({ from }: Way, probes: Probes): Promise<void> {
  const { fence, controls } = probes;
  await controls.evaluate((one) => one.blur());
  await fence.evaluate((one, at) => one.start(at), from);
  await nextStop(undefined, probes);
}

/** Waits until the focus has moved and is shown. Keys go there once no other document has it. */
async function nextStop(last: Stop | undefined, probes: Probes): Promise<Stop> {
  const startMs = performance.now();
  for (let rounds = 0; ; rounds += 1) {
    const [stop, isAppFocused] = await stopNow(probes);
    const isInApp = stop.where === 'app';
    const isMoving = stop.where === 'outside' || (isInApp ? !stop.focused : isAppFocused);
    const isUnseen = isInApp && stop.focused?.isSeen === false;
    const isLast = last && keyOf(stop) === keyOf(last);
    if (!isMoving && !isUnseen && !isLast) return stop;
    if (rounds >= (isMoving ? movingRounds : leastRounds) && performance.now() - startMs > patienceMs) return stop;
    await round(probes);
  }
}

/** Lets both documents handle what waits for them, and draw it. */
async function round({ fence, controls }: Probes): Promise<void> {
  const turn = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
      setTimeout(resolve, 100); // hidden pages draw nothing
    });
  await Promise.all([fence.evaluate(turn), controls.evaluate(turn)]);
}

async function stopNow({ fence, controls }: Probes): Promise<readonly [stop: Stop, isAppFocused: boolean]> {
  const stop = await fence.evaluate((one) => one.focused());
  const isAppFocused = await controls.evaluate(() => document.hasFocus());
  if (stop.where !== 'app') return [stop, isAppFocused];
  return [{ where: 'app', focused: await controls.evaluate((one) => one.focused()) }, isAppFocused];
}

function keyOf(stop: Stop): string {
  if (stop.where === 'app') return `app ${stop.focused?.id ?? ''}`;
  return stop.where === 'container' ? `container ${stop.id}` : stop.where;
}

function nameOf(stop: Stop): string {
  if (stop.where === 'app') return stop.focused?.name ?? 'the app’s document';
  if (stop.where === 'container') return `the container’s ${stop.name}`;
  return 'the page around it';
}

async function problemsOf(
  { stops, trap }: Walk,
  { key, controls }: Pick<Way, 'key'> & Pick<Probes, 'controls'>,
): Promise<readonly string[]> {
  const isForward = key === 'Tab';
  const inApp = stops.flatMap((stop) => (stop.where === 'app' && stop.focused ? [stop.focused] : []));
  const unreached = await controls.evaluate(
    (one, ids) => one.unreached(ids),
    inApp.map(({ id }) => id),
  );
  const placed = inApp.filter((one): one is Focused & { order: number } => one.order !== undefined);
  const jumps = placed.flatMap((one, index) => {
    const before = placed[index - 1];
    const isBack = before && (isForward ? one.order < before.order : one.order > before.order);
    return isBack ? [`${key} jumps from ${before.name} to ${one.name}, against the order of the page.`] : [];
  });
  const unseen = isForward ? inApp.filter(({ isSeen }) => !isSeen) : [];
  return [
    ...(trap ? [trap] : []),
    ...unreached.map((name) => `${key} does not reach ${name}.`),
    ...unseen.map(
      ({ name }) => `The focus cannot be seen on ${name}: outline, shadow, border and background stay as they are.`,
    ),
    ...jumps,
  ];
}

/** Runs in the page: puts an element that takes the focus before and behind the gadget. */
function buildFence(gadget: Element, iframe: Element): Fence {
  const names = new Map<Element, number>();
  const mark = (): HTMLElement => {
    const element = document.createElement('span');
    element.tabIndex = 0;
    element.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px; opacity: 0';
    return element;
  };
  const marks = { before: mark(), after: mark() };
  gadget.before(marks.before);
  gadget.after(marks.after);
  return {
    start: (at) => marks[at].focus({ preventScroll: true }),
    focused() {
      let element = document.activeElement;
      let isInGadget = element === gadget;
      while (element?.shadowRoot?.activeElement) {
        element = element.shadowRoot.activeElement;
        isInGadget ||= element === gadget;
      }
      if (element === marks.before) return { where: 'before' };
      if (element === marks.after) return { where: 'after' };
      if (element === iframe) return { where: 'app' };
      if (!element || !(isInGadget || gadget.contains(element))) return { where: 'outside' };
      const id = names.get(element) ?? names.size;
      names.set(element, id);
      const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return { where: 'container', id, name: `<${element.localName}> “${label.trim().slice(0, 40)}”` };
    },
    remove() {
      marks.before.remove();
      marks.after.remove();
    },
  };
}
