import type { Place } from './place.ts';

const minHeight = 16;
const maxHeight = 4_000; // an app must not bury the page under itself
const variable = '--gantry-height';

/** Gives the place of an app this height, as near as it may have it. */
export function setHeight({ element, tell }: Pick<Place, 'element' | 'tell'>, wanted: number): void {
  const height = clamp(wanted);
  if (heightOf(element) === height) return;
  styleOf(element)?.setProperty(variable, `${height}px`);
  tell('gantry-height', { height });
}

/** Returns the height that was set last, in CSS pixels; 0 before the first. */
export function heightOf(element: HTMLElement): number {
  return Number.parseInt(styleOf(element)?.getPropertyValue(variable) ?? '', 10) || 0;
}

/** In CSS pixels, within limits. */
export function clamp(wanted: number): number {
  return Math.ceil(Math.min(Math.max(wanted, minHeight), maxHeight));
}

/** In the shadow tree: frameworks compare the tag's own `style` with the one that a server wrote. */
function styleOf(element: HTMLElement): CSSStyleDeclaration | undefined {
  return element.shadowRoot?.querySelector<HTMLElement>('.body')?.style;
}
