import type { Feature, Place } from '../place.ts';
import { createResizeLoop } from './resize-loop.ts';

const minHeight = 16;
const maxHeight = 4_000; // an app must not bury the page under itself

/** Gives the frame the height that its app asks for, within limits, unless its manifest leaves that to the page. */
export function createSizing({ element, gadget, tell, messages }: Place): Feature {
  const { app, sizing } = gadget.context;
  const loop = createResizeLoop(() => performance.now());
  let isReady = false;

  function present(): number {
    return Number.parseInt(element.style.getPropertyValue('--gantry-height'), 10) || 0;
  }
  function fill(): void {
    setHeight({ element, tell }, innerHeight);
  }
  function set(wanted: number): void {
    const { height, isFound } = loop.next(clamp(wanted));
    setHeight({ element, tell }, height);
    if (!isFound) return;
    console.warn(`Gantry: ${app.id} resizes in a loop: its height follows its frame's. Held at ${height} px.`);
    tell('gantry-incident', { app: app.id, kind: 'resize-loop', detail: { message: messages.resizeLoop } });
  }

  return {
    actions: {
      adjustHeight(wanted) {
        const mayAsk =
          isReady && (sizing === undefined || sizing === 'automatic') && !element.hasAttribute('maximised');
        if (mayAsk && typeof wanted === 'number' && wanted > 0) set(wanted);
        return present();
      },
    },
    ready() {
      isReady = true;
      if (sizing !== 'maximal') return;
      fill();
      addEventListener('resize', fill);
    },
    end() {
      removeEventListener('resize', fill);
    },
  };
}

/** Gives the place of an app this height, as near as it may have it. */
export function setHeight({ element, tell }: Pick<Place, 'element' | 'tell'>, wanted: number): void {
  const height = clamp(wanted);
  if (element.style.getPropertyValue('--gantry-height') === `${height}px`) return;
  element.style.setProperty('--gantry-height', `${height}px`);
  tell('gantry-height', { height });
}

function clamp(wanted: number): number {
  return Math.ceil(Math.min(Math.max(wanted, minHeight), maxHeight));
}
