import { topOf } from '../chrome/view-name.ts';
import type { Gadget, Shown } from '../gadget.ts';

/**
 * Restores the view of a gadget that was mounted anew: the one in the page's address, or, without
 * addresses, the one `before`. Returns undefined if there is nothing to wait for.
 */
export function keepView(
  gadget: Gadget,
  { element, before }: { readonly element: HTMLElement; readonly before: Shown | undefined },
): Promise<void> | undefined {
  if (gadget.tools.address === false) {
    if (before && gadget.context.views.includes(topOf(before.view))) gadget.shown = before;
  } else if (location.hash.includes('gantry.')) {
    return import('../chrome/view-address.ts').then(
      ({ restoreView }) => restoreView(gadget, element),
      () => {},
    );
  }
  return undefined;
}
