import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { inOwnTime } from '../waits.ts';
import { listed } from './brief.ts';
import { retry, whyUnsettled } from './retry.ts';

const leastMs = 5_000;

/**
 * Passes when, in a settled gadget, nothing of the app is cut off: each text, control and picture
 * lies within the frame, and within the parts of the page that hide what does not fit. Text of a
 * button stays in it. Parts that scroll may; the page itself may not.
 *
 * @example
 * await gadget.update({ width: 240, locale: 'de' });
 * await expect(gadget).toFit();
 */
export async function toFit(this: ExpectMatcherState, gadget: ShownGadget): Promise<MatcherReturnType> {
  const { isNot } = this;
  return retry(this, {
    gadget,
    matcher: 'toFit',
    leastMs,
    whenThrown: 'The gadget could not be looked at: ',
    seen: {},
    async check(limitMs) {
      const problem = await whyUnsettled(gadget, limitMs);
      if (problem) return { pass: isNot, lines: () => [problem] };
      const looked = gadget.frame.locator('html').evaluate(findCut);
      const cuts = await inOwnTime(gadget.page, looked, limitMs, 'the app does not answer.');
      const head = cuts.length === 0 ? 'Nothing is cut off.' : 'Cut off:';
      return { pass: cuts.length === 0, lines: () => [head, ...listed(cuts)] };
    },
  });
}

/** Returns a line for each thing that is cut off. Runs in the app's page. */
function findCut(html: Element): readonly string[] {
  type Edge = readonly [at: number, of: string];
  type Side = 'left' | 'top' | 'right' | 'bottom';
  type Box = Readonly<Record<Side, Edge>>;
  const things = 'img, svg, canvas, video, input, button, select, textarea, meter, progress, iframe';
  const body = html.querySelector('body');
  const lines = new Map<Element, string>();
  const boxes = new WeakMap<Element, Box>();
  const edge = (at: number): Edge => [at, 'the frame'];
  const { clientWidth, clientHeight } = html;
  const frame: Box = { left: edge(0), top: edge(0), right: edge(clientWidth), bottom: edge(clientHeight) };

  function look(element: Element, outer: Box): void {
    const style = getComputedStyle(element);
    const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isSeen && style.display !== 'contents') return;
    const rect = element.getBoundingClientRect();
    const isSmall = rect.width <= 1 && rect.height <= 1;
    if (style.position === 'absolute' && (isSmall || style.clipPath !== 'none')) return; // for screen readers
    const of = style.position === 'fixed' ? frame : style.position === 'absolute' ? boxAround(element) : outer;
    const isPage = element === html || element === body;
    const isScrolling = !isPage && /auto|scroll/.test(style.overflow);
    if (element.matches(things) || isScrolling) check(element, rect, of);
    if (element.localName === 'svg') return;
    const box = isPage ? frame : within(element, style, of);
    boxes.set(element, box);
    const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
    for (const node of [...(element.shadowRoot ?? element).childNodes, ...assigned]) {
      if (node instanceof Element) look(node, box);
      else if (node.nodeType === 3 && node.textContent?.trim() && !element.matches('details:not([open])')) {
        const range = html.ownerDocument.createRange();
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) check(element, line, box);
      }
    }
  }

  function boxAround(element: Element): Box {
    const parent = element instanceof HTMLElement ? element.offsetParent : null;
    return (parent && boxes.get(parent)) ?? frame;
  }

  /** Returns the box in which the content of an element is seen, or can be scrolled to. */
  function within(element: Element, { overflowX, overflowY }: CSSStyleDeclaration, of: Box): Box {
    const box = placeOf(element.getBoundingClientRect());
    const side = (name: Side, overflow: string, sign: 1 | -1): Edge => {
      if (/auto|scroll/.test(overflow)) return edge(sign * Number.POSITIVE_INFINITY);
      const isHiding = overflow !== 'visible' || element.matches('button');
      return isHiding && sign * box[name] < sign * of[name][0] ? [box[name], nameOf(element)] : of[name];
    };
    return {
      left: side('left', overflowX, -1),
      right: side('right', overflowX, 1),
      top: side('top', overflowY, -1),
      bottom: side('bottom', overflowY, 1),
    };
  }

  /** Returns sides as they are in the page that is not scrolled. */
  function placeOf({ left, top, right, bottom }: DOMRect): Readonly<Record<Side, number>> {
    return { left: left + scrollX, right: right + scrollX, top: top + scrollY, bottom: bottom + scrollY };
  }

  function check(element: Element, rect: DOMRect, box: Box): void {
    const { left, right, top, bottom } = placeOf(rect);
    if (rect.width === 0 || rect.height === 0 || lines.has(element)) return;
    if (right <= 0 || bottom <= 0) return; // off-screen on purpose, such as skip links
    const line = rect.height / 4; // glyphs may overlap the next line
    const over: readonly (readonly [Side, px: number, slack: number])[] = [
      ['left', box.left[0] - left, 1],
      ['right', right - box.right[0], 1],
      ['top', box.top[0] - top, line],
      ['bottom', bottom - box.bottom[0], line],
    ];
    const [side, px = 0] = over.find(([, by, slack]) => by > slack) ?? [];
    if (side) lines.set(element, `${nameOf(element)}: ${Math.ceil(px)} px beyond the ${side} of ${box[side][1]}`);
  }

  function nameOf(element: Element): string {
    const id = element.id ? ` id="${element.id.slice(0, 40)}"` : '';
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ');
    return `<${element.localName}${id}>${text && ` “${text.slice(0, 40)}”`}`;
  }

  look(html, frame);
  return [...lines.values()];
}
