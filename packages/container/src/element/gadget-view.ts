import type { Clock } from '@gantry/wire/runtime';
import { adoptStyles } from '../chrome/css.ts';
import { paletteStyles } from '../chrome/palette-styles.ts';
import { createGadgetBody, type GadgetProps } from './gadget-body.ts';
import { gadgetStyles } from './gadget-styles.ts';

/** The shadow tree of a gadget: its body, and its chrome once that is fetched. */
export interface GadgetView {
  render(props: GadgetProps): void;
  /** Fetches the chrome. Never rejects: without it, the body shows errors as text. */
  needChrome(): Promise<void>;
}

/** @param onChange Called when the gadget is to be rendered anew. */
export function createGadgetView(root: ShadowRoot, clock: Pick<Clock, 'after'>, onChange: () => void): GadgetView {
  const body = createGadgetBody(clock, onChange);
  let chrome: typeof import('./gadget-chrome.ts') | false | undefined;
  adoptStyles(root, paletteStyles);
  adoptStyles(root, gadgetStyles);
  root.append(body.root);

  return {
    render(props) {
      const focused = root.activeElement;
      body.show(props, chrome);
      if (chrome) chrome.renderChrome(body, props);
      if (focused?.isConnected === false) body.pane.focus(); // the focused part was removed
    },
    async needChrome() {
      if (chrome) return;
      try {
        chrome = await import('./gadget-chrome.ts');
      } catch {
        chrome ??= false; // the next need tries again
      }
      onChange();
    },
  };
}
