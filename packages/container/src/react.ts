import type { CSSProperties, HTMLAttributes, ReactNode, RefAttributes } from 'react';
import type { GantryGadget } from './element/gantry-gadget.ts';
import type { GadgetAttributes, GadgetEvents, GadgetVariables } from './gadget-types.ts';

/** Props of the tag in JSX. React 19 names listeners by event: `ongantry-ready`. */
export interface GantryGadgetProps
  extends Omit<HTMLAttributes<GantryGadget>, 'children' | 'style'>,
    RefAttributes<GantryGadget>,
    GadgetAttributes,
    GadgetListeners {
  readonly children?: ReactNode;
  readonly style?: (CSSProperties & GadgetVariables) | undefined;
}

type GadgetListeners = {
  readonly [Name in keyof GadgetEvents as `on${Name}`]?: ((event: GadgetEvents[Name]) => void) | undefined;
};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'gantry-gadget': GantryGadgetProps;
    }
  }
}
