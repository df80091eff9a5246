import type { Feature, Place } from '../place.ts';

const minHeight = 16;
const maxHeight = 4_000; // an app must not bury the page under itself

/** Gives the frame the height that its app asks for, within limits. */
export function createSizing({ element, tell }: Place): Feature {
  let isReady = false;

  function present(): number {
    return Number.parseInt(element.style.getPropertyValue('--gantry-height'), 10) || 0;
  }
  return {
    actions: {
      adjustHeight(wanted) {
        if (isReady && typeof wanted === 'number' && wanted > 0) setHeight({ element, tell }, wanted);
        return present();
      },
    },
    ready() {
      isReady = true;
    },
  };
}

/** Gives the place of an app this height, as near as it may have it. */
export function setHeight({ element, tell }: Pick<Place, 'element' | 'tell'>, wanted: number): void {
  const height = Math.ceil(Math.min(Math.max(wanted, minHeight), maxHeight));
  if (element.style.getPropertyValue('--gantry-height') === `${height}px`) return;
  element.style.setProperty('--gantry-height', `${height}px`);
  tell('gantry-height', { height });
}
