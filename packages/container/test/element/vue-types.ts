import type { GantryGadgetProps } from '@gantry/container/vue';
import type { GlobalComponents } from 'vue';

// Compiled, never run. An `@ts-expect-error` without an error does not compile, so each of them is
// its own control.

type Gadget = InstanceType<GlobalComponents['gantry-gadget']>;

export const valid: Gadget['$props'] = {
  key: 'one',
  id: 'one',
  class: ['wide'],
  style: { '--gantry-height': '20rem' },
  app: 'friends',
  owner: null,
  view: 'profile',
  heading: '',
  loading: 'eager',
  menu: 'none',
  budgets: { startMs: 20_000 },
  onGantryReady: ({ detail }) => detail.app.toUpperCase(),
  onGantryError: ({ detail }) => detail.code.toFixed(),
  onGantryHeight: ({ detail }) => detail.height.toFixed(),
  onGantryState: ({ detail }) => detail.state === 'unresponsive',
  onGantryIncident: ({ detail }) => detail.kind === 'flood',
  onGantryNavigate: (event) => event.preventDefault(),
  onGantryKey: ({ detail }) => detail.shortcut.length,
  onGantryTitle: ({ detail }) => detail.title.length,
  onGantryVisibility: ({ detail }) => detail.state === 'suspended',
  onGantryRollback: ({ detail }) => detail.error.message,
  onGantryNotice: ({ detail }) => detail.unused.join(),
};

/** A template's reference to the tag is the element. */
export function restart(gadget: Gadget): void {
  if (gadget.state === 'stopped') gadget.reload();
  // @ts-expect-error There is no such method.
  gadget.restart();
}

export const refused: readonly GantryGadgetProps[] = [
  // @ts-expect-error An id is text.
  { app: 7 },
  // @ts-expect-error `loading` has two values.
  { loading: 'later' },
  // @ts-expect-error `menu` has one value.
  { menu: 'left' },
  // @ts-expect-error A budget is a number.
  { budgets: { startMs: 'soon' } },
  // @ts-expect-error There is no such attribute.
  { aplication: 'friends' },
  // @ts-expect-error There is no such event.
  { onGantryRedy: () => undefined },
  // @ts-expect-error `gantry-ready` says no height.
  { onGantryReady: ({ detail }) => detail.height },
  // @ts-expect-error A gadget has no such state.
  { onGantryState: ({ detail }) => detail.state === 'gone' },
];
