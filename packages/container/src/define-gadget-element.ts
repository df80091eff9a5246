import type { Container } from './create-container.ts';
import type { GadgetEvents } from './gadget-types.ts';
import { GantryGadget } from './gantry-gadget.ts';

/**
 * Defines the element whose gadgets live in `container`. Does nothing on a server, which has no elements.
 *
 * @param name Tag name, `gantry-gadget` by default.
 */
export function defineGadgetElement(container: Container, name = 'gantry-gadget'): void {
  globalThis.customElements?.define(
    name,
    class extends GantryGadget {
      protected override readonly container = container;
    },
  );
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-gadget': GantryGadget;
  }
  interface GlobalEventHandlersEventMap extends GadgetEvents {}
}
