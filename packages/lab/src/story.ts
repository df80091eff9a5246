import type { Scenario } from './scenario.ts';

/**
 * One named state of a gadget. A file `NAME.stories.ts` beside the app exports one for each state; its id is the app's id
 * and the export's name: `hello/empty`.
 *
 * @example
 * import type { Story } from '@gantry/lab/scenario';
 *
 * export const empty: Story = { world: 'empty' };
 * export const large: Story = { title: 'Large, in the dark', view: 'canvas', theme: 'dark', width: 960 };
 */
export interface Story extends Omit<Scenario, 'world'> {
  /** Read by people. Default: the export's name in words. */
  readonly title?: string;
  /** A name, a path relative to the story's file, or a function that makes a world file's content; it runs in Node. */
  readonly world?: string | (() => unknown);
  /** Value of `gantry.state` at the start: plain data. */
  readonly state?: unknown;
}

/**
 * Props of `mount(storyId, props)` in a Playwright test: members that replace those of the story, and callbacks, which run in
 * the test.
 *
 * @example
 * const calls: string[] = [];
 * const component = await mount('hello/empty', { theme: 'dark', onCall: ({ operation }) => calls.push(operation) });
 */
export interface StoryProps extends Scenario {
  /** Value of `gantry.state` at the start: plain data. */
  readonly state?: unknown;
  /** The gadget is ready; called again after each reload. */
  readonly onReady?: () => void;
  /** The app called the API. */
  readonly onCall?: (call: { readonly operation: string; readonly params: unknown }) => void;
  /** The page told the app something. */
  readonly onEvent?: (event: { readonly name: string; readonly data: unknown }) => void;
}
