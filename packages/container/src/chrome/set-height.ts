import type { Place } from '../gadget.ts';

const minHeight = 16;
const maxHeight = 4_000; // an app must not bury the page under itself
const variable = '--gantry-height';

/** Sets the height of an app's place, within limits. */
export function setHeight({ element, dispatch }: Pick<Place, 'element' | 'dispatch'>, target: number): void {
  const height = clamp(target);
  if (heightOf(element) === height) return;
  styleOf(element)?.setProperty(variable, `${height}px`);
  dispatch('gantry-height', { height });
}

/** Returns the height that was set last, in CSS pixels; 0 before the first. */
export function heightOf(element: HTMLElement): number {
  return Number.parseInt(styleOf(element)?.getPropertyValue(variable) ?? '', 10) || 0;
}

/** Clamps a height in CSS pixels. */
export function clamp(height: number): number {
  return Math.ceil(Math.min(Math.max(height, minHeight), maxHeight));
}

/** In the shadow tree, since frameworks compare the tag's own `style` with a server's. */
function styleOf(element: HTMLElement): CSSStyleDeclaration | undefined {
  return element.shadowRoot?.querySelector<HTMLElement>('.body')?.style;
}
