import type { Container } from '../container-api.ts';
import type { GadgetEvents } from '../gadget-types.ts';
import { GantryGadget } from './gantry-gadget.ts';

/**
 * Defines the element whose gadgets live in `container`. Does nothing on a server.
 *
 * @example
 * // browser
 * const container = createContainer({ base: location.origin, storage: createMemoryStorage() });
 * defineGadgetElement(container, 'defined-gadget');
 * customElements.get('defined-gadget') !== undefined; // true
 * @param name Tag name.
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
