import type { Clock } from '@gantry/wire';
import type { GadgetState } from '../gadget-state.ts';
import { fill } from '../messages/fill.ts';
import { adoptStyles } from './adopt-styles.ts';
import { createGadgetBody } from './gadget-body.ts';
import type { ChromeLook } from './gadget-chrome.ts';
import { gadgetStyles } from './gadget-styles.ts';

/** A gadget as it is to be rendered. */
export interface GadgetLook extends Omit<ChromeLook, 'isHere' | 'isAway'> {
  readonly state: GadgetState;
  /** Absent without a heading. */
  readonly heading: string | undefined;
  readonly frame: HTMLIFrameElement | undefined;
  /** Card that asks the member. */
  readonly asking: HTMLElement | undefined;
}

/** The shadow tree of a gadget: its body, and its chrome once that is fetched. */
export interface GadgetView {
  render(look: GadgetLook): void;
  /** Fetches the chrome. Never rejects: without it, the body shows errors as text. */
  needChrome(): Promise<void>;
}

/** @param onChange Called when the gadget is to be rendered anew. */
export function createGadgetView(root: ShadowRoot, clock: Pick<Clock, 'after'>, onChange: () => void): GadgetView {
  const body = createGadgetBody(clock, onChange);
  let chrome: typeof import('./gadget-chrome.ts') | 'missing' | undefined;
  adoptStyles(root, gadgetStyles);
  root.append(body.root);

  function renderAll(look: GadgetLook): void {
    const { state, messages, title, element } = look;
    const isAway = state === 'failed' || state === 'stopped';
    const error = state === 'failed' ? look.error : undefined;
    body.show({
      state,
      heading: look.heading ?? '',
      hasHeading: look.heading !== undefined || element.querySelector(':scope > [slot=heading]') !== null,
      frame: look.frame,
      title,
      asking: state === 'asking' ? look.asking : undefined,
      isPending: state === 'waiting' || state === 'loading' || (isAway && !chrome),
      announced: state === 'loading' ? fill(messages.loading, { title }) : '',
      error: chrome === 'missing' ? error?.message : undefined,
    });
    if (typeof chrome !== 'object') return;
    chrome.renderChrome(body, { ...look, error, isAway, isHere: state === 'ready' || state === 'unresponsive' });
  }

  return {
    render(look) {
      const focused = root.activeElement;
      renderAll(look);
      if (focused?.isConnected === false) body.stage.focus(); // the focused part was removed
    },
    async needChrome() {
      if (typeof chrome === 'object') return;
      try {
        chrome = await import('./gadget-chrome.ts');
      } catch {
        if (chrome === undefined) chrome = 'missing'; // the next need tries again
      }
      onChange();
    },
  };
}
