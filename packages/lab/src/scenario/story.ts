import type { Scenario } from './scenario.ts';

/**
 * One named state of a gadget. A file `NAME.gadget.ts` beside the app exports one for each state;
 * its id is the app's id and the export's name: `hello/empty`.
 *
 * @example
 * import type { Story } from '@gantry/lab/scenario';
 *
 * export const empty: Story = { world: 'empty' };
 * export const large: Story = { title: 'Large, in the dark', theme: 'dark', width: 960 };
 */
export interface Story extends Omit<Scenario, 'world'> {
  /** Title for people. Default: the words of the export's name. */
  readonly title?: string;
  /** Name, path relative to the file, or a function (run in Node) that makes a world file. */
  readonly world?: string | (() => unknown);
  /** Value of `gantry.state` at the start: plain data. */
  readonly state?: unknown;
}

/**
 * Props of `mount(storyId, props)` in a Playwright test: members that replace those of the story,
 * and callbacks, which run in the test.
 *
 * @example
 * const calls: string[] = [];
 * const onCall = ({ operation }) => void calls.push(operation);
 * await mount('hello/empty', { theme: 'dark', onCall });
 */
export interface StoryProps extends Scenario {
  /** Value of `gantry.state` at the start: plain data. */
  readonly state?: unknown;
  /** The gadget is ready; called again after each reload. */
  readonly onReady?: () => void;
  /** The app called the API. */
  readonly onCall?: (call: { readonly operation: string; readonly params: unknown }) => void;
  /** The page sent the app an event. */
  readonly onEvent?: (event: { readonly name: string; readonly data: unknown }) => void;
}
