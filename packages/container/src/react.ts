import type { Attributes, HTMLAttributes, Ref } from 'react';
import type { GantryGadget } from './gantry-gadget.ts';

/** The tag's properties in JSX. React 19 sets properties and listens to events of elements by name: `ongantry-ready`. */
export interface GantryGadgetProps
  extends Attributes,
    Omit<HTMLAttributes<GantryGadget>, 'children'>,
    Partial<Pick<GantryGadget, 'app' | 'owner' | 'view' | 'heading' | 'loading' | 'menu' | 'budgets'>>,
    GadgetListeners {
  readonly ref?: Ref<GantryGadget>;
  readonly children?: HTMLAttributes<GantryGadget>['children'];
}

type GadgetListeners = {
  readonly [Name in GadgetEvent as `on${Name}`]?: (event: CustomEvent) => void;
};

type GadgetEvent =
  | 'gantry-ready'
  | 'gantry-error'
  | 'gantry-height'
  | 'gantry-state'
  | 'gantry-incident'
  | 'gantry-navigate'
  | 'gantry-title'
  | 'gantry-rollback'
  | 'gantry-visibility';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'gantry-gadget': GantryGadgetProps;
    }
  }
}
