import type { Locator } from '@playwright/test';

/**
 * Window sizes as CSS pixels at 100 % and 200 % zoom; zooming makes the window smaller for the
 * page.
 */
export const windows = [
  { width: 1280, height: 720 },
  { width: 1024, height: 600 },
  { width: 360, height: 640 },
].flatMap(({ width, height }) =>
  ([1, 2] as const).flatMap((zoom) =>
    (['ltr', 'rtl'] as const).map((direction) => ({
      name: `${width} × ${height}, ${zoom * 100} %, ${direction}`,
      viewport: { width: width / zoom, height: height / zoom },
      direction,
    })),
  ),
);

/** Elements that cover others. */
export interface Layers {
  /** Buttons of the question that are covered. */
  readonly covered: readonly string[];
  /** Buttons of toasts where a press would hit something else. */
  readonly through: readonly string[];
  readonly toasts: number;
}

/** Finds covered buttons by hit tests at five points of each button in view. */
export function readLayers(question: Locator, toasts = 'gantry-toasts'): Promise<Layers> {
  return question.evaluate(async (element, region) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const host = document.querySelector(region);
    const list = host?.shadowRoot ?? host;
    const label = (button: Element) => button.textContent?.trim() ?? '';
    return {
      covered: [...element.querySelectorAll('button')].filter((button) => isCovered(button)).map(label),
      through: [...(list?.querySelectorAll('button') ?? [])].filter((button) => isCovered(button, host)).map(label),
      toasts: list?.querySelectorAll('.toast').length ?? 0,
    };

    /** @param scroller Points that are scrolled out of it are not in view. */
    function isCovered(button: Element, scroller?: Element | null): boolean {
      const { left, top, right, bottom } = button.getBoundingClientRect();
      const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
      const points: readonly [number, number][] = [
        [middleX, middleY],
        [left + 4, middleY],
        [right - 4, middleY],
        [middleX, top + 4],
        [middleX, bottom - 4],
      ];
      const box = scroller?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
      return points
        .filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && y > box.top && y < box.bottom)
        .some(([x, y]) => !button.contains(topmostAt(x, y)));
    }
    function topmostAt(x: number, y: number): Element | null {
      let element = document.elementFromPoint(x, y);
      while (element?.shadowRoot) {
        const inner = element.shadowRoot.elementFromPoint(x, y);
        if (!inner || inner === element) break;
        element = inner;
      }
      return element;
    }
  }, toasts);
}
