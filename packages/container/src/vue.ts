import type { HTMLAttributes, ReservedProps } from 'vue';
import type { GantryGadget } from './element/gantry-gadget.ts';
import type { GadgetAttributes, GadgetEvents } from './gadget-types.ts';

/** Props of the tag in a template. Vue's `@gantry-ready` is the prop `onGantryReady`. */
export interface GantryGadgetProps extends HTMLAttributes, ReservedProps, GadgetAttributes, GadgetListeners {}

type GadgetListeners = {
  readonly [Name in keyof GadgetEvents as `on${PascalCase<Name>}`]?: ((event: GadgetEvents[Name]) => void) | undefined;
};

type PascalCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${PascalCase<Rest>}`
  : Capitalize<Name>;

declare module 'vue' {
  interface GlobalComponents {
    'gantry-gadget': new () => GantryGadget & { readonly $props: GantryGadgetProps };
  }
}
