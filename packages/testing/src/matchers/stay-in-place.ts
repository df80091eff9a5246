import type { ElementHandle, ExpectMatcherState, Frame, JSHandle, MatcherReturnType } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { inTime } from '../waits.ts';
import { listed } from './brief.ts';
import { retry } from './retry.ts';
import type { LookAt } from './shown.ts';

/** Movement that a page has seen. */
interface Movement {
  /** Changes of the boxes of gadget and frame, a line each. */
  readonly moves: readonly string[];
  readonly shifts: readonly string[];
  readonly frames: number;
}

interface ShiftWatch {
  stop(): readonly string[];
}

const usualFrames = 60; // about a second
const leastMs = 2_000;

/**
 * Passes when, for a number of drawn frames, gadget and frame keep place and size and neither page
 * nor app reports a layout shift. While something moves it checks again.
 *
 * @param options.frames Default: 60, about a second.
 */
export async function toStayInPlace(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  { frames = usualFrames, ...look }: { readonly frames?: number } & LookAt = {},
): Promise<MatcherReturnType> {
  return retry(this, {
    gadget,
    matcher: 'toStayInPlace',
    leastMs,
    whenThrown: '',
    seen: look,
    async check(limitMs) {
      const slow = 'The page or the app does not answer.';
      const watched = await inTime(watch(gadget, { frames, limitMs }), 2 * limitMs + 1_000, slow);
      const { moves, shifts, frames: drawn } = watched;
      const changes = [...moves, ...shifts];
      if (changes.length > 0) {
        return { pass: false, lines: () => [`The gadget moved within ${drawn} frames:`, ...listed(changes)] };
      }
      const pass = drawn >= frames;
      const short = `Only ${drawn} of ${frames} frames were drawn in the time that was left.`;
      return { pass, lines: () => [pass ? `The gadget stood still for ${drawn} frames.` : short] };
    },
  });
}

async function watch(
  { element, page }: ShownGadget,
  { frames, limitMs }: { readonly frames: number; readonly limitMs: number },
): Promise<Movement> {
  const gadget = (await element.elementHandle({ timeout: limitMs })) as ElementHandle<HTMLElement>;
  const frame = element.locator('iframe');
  const iframe = (await frame.count()) > 0 ? await frame.elementHandle({ timeout: limitMs }) : null; // a consent card has no frame
  const inside = await iframe?.contentFrame();
  const [top, app] = [await watchShifts(page.mainFrame(), 'page'), inside && (await watchShifts(inside, 'app'))];
  const moved = await gadget.evaluate(watchBoxes, { iframe, frames, limitMs });
  const shifts = [await stop(top), app ? await stop(app) : []].flat();
  return { ...moved, shifts };
}

const stop = (watched: JSHandle<ShiftWatch>): Promise<readonly string[]> => watched.evaluate((one) => one.stop());

function watchShifts(frame: Frame, where: string): Promise<JSHandle<ShiftWatch>> {
  return frame.evaluateHandle((name): ShiftWatch => {
    const shifts: string[] = [];
    const add = (entries: PerformanceEntryList): void => {
      for (const entry of entries) {
        const { value = 0, sources = [] } = entry as PerformanceEntry & {
          value?: number;
          sources?: readonly { readonly node?: Node | null }[];
        };
        const nodes = sources.slice(0, 3).map(({ node }) => {
          const of = node instanceof Element ? node : node?.parentElement;
          return of ? `<${of.localName}${of.id ? ` id="${of.id.slice(0, 40)}"` : ''}>` : 'a removed element';
        });
        if (shifts.length < 100) shifts.push(`layout shift of ${value.toFixed(3)} in the ${name}: ${nodes.join(', ')}`);
      }
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: false }); // only Chromium knows the type
    return {
      stop() {
        add(observer.takeRecords());
        observer.disconnect();
        return shifts;
      },
    };
  }, where);
}

/** Runs in the page. */
function watchBoxes(
  gadget: HTMLElement,
  { iframe, frames, limitMs }: { readonly iframe: Node | null; readonly frames: number; readonly limitMs: number },
): Promise<{ readonly moves: readonly string[]; readonly frames: number }> {
  const watched = [
    ['gadget', gadget],
    ['frame', iframe],
  ] as const;
  const boxes = (): readonly (readonly [string, readonly number[]])[] =>
    watched.flatMap(([name, node]) => {
      if (!(node instanceof Element)) return [];
      const { left, top, width, height } = node.getBoundingClientRect();
      // Scrolling moves nothing.
      return [[name, [left + scrollX, top + scrollY, width, height].map((one) => Math.round(one * 10) / 10)] as const];
    });
  const words = ['left', 'top', 'width', 'height'];
  const moves: string[] = [];
  return new Promise((resolve) => {
    let before = boxes();
    let drawn = 0;
    const done = (): void => {
      clearTimeout(timer);
      resolve({ moves, frames: drawn });
    };
    const timer = setTimeout(done, limitMs); // a page in the background draws nothing
    const draw = (): void => {
      drawn += 1;
      const now = boxes();
      for (const [index, [name, values]] of now.entries()) {
        const [, old = []] = before[index] ?? [];
        for (const [at, value] of values.entries()) {
          if (value !== old[at] && moves.length < 100) {
            moves.push(`frame ${drawn}: ${words[at]} of the ${name} from ${old[at]} to ${value} px`);
          }
        }
      }
      before = now;
      if (drawn >= frames) done();
      else requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  });
}
