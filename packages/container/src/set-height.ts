import type { Place } from './place.ts';

const minHeight = 16;
const maxHeight = 4_000; // an app must not bury the page under itself

/** Gives the place of an app this height, as near as it may have it. */
export function setHeight({ element, tell }: Pick<Place, 'element' | 'tell'>, wanted: number): void {
  const height = clamp(wanted);
  if (element.style.getPropertyValue('--gantry-height') === `${height}px`) return;
  element.style.setProperty('--gantry-height', `${height}px`);
  tell('gantry-height', { height });
}

/** In CSS pixels, within limits. */
export function clamp(wanted: number): number {
  return Math.ceil(Math.min(Math.max(wanted, minHeight), maxHeight));
}
