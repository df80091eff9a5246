import type { Gadget, Shown } from './gadget.ts';
import { topOf } from './view-name.ts';

/**
 * Puts a gadget that was mounted anew where the page's address says that it was, or, where views are in no address, where it
 * was before.
 *
 * @returns Resolves when it is there; undefined if it is there already.
 */
export function keepView(
  gadget: Gadget,
  { element, before }: { readonly element: HTMLElement; readonly before: Shown | undefined },
): Promise<void> | undefined {
  if (gadget.tools.address === false) {
    if (before && gadget.context.views.includes(topOf(before.view))) gadget.shown = before;
  } else if (location.hash.includes('gantry.')) {
    return import('./chrome/view-address.ts').then(
      ({ restoreView }) => restoreView(gadget, element),
      () => {},
    );
  }
  return undefined;
}
