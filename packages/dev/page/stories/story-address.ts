import type { StoryFacts } from '@gantry/dev/protocol';
import { type Scenario, writeScenario } from '@gantry/lab/scenario';

/** Members that the grid replaces in all stories at once. */
export type Overrides = Pick<Scenario, 'theme' | 'direction'>;

/** Address of the dev host that shows a story in this state. */
export function storyAddress({ id, app, scenario, makesWorld }: StoryFacts, overrides: Overrides): string {
  const query = new URLSearchParams({ app, ...(makesWorld && { story: id }) });
  return `/?${[query, writeScenario({ ...scenario, ...given(overrides) })].filter(String).join('&')}`;
}

/** Returns the overrides that have a value. */
export function given(overrides: Overrides): Readonly<Partial<Overrides>> {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}

/** Summarizes a story: `world empty · dark · 360 px`. */
export function describeScenario({
  world,
  persona,
  view,
  width,
  theme,
  direction,
  network,
  ...rest
}: Scenario): string {
  const words = [
    world && `world ${world.split(/[/\\]/).at(-1) ?? world}`,
    persona && (persona === 'nobody' ? 'signed out' : `as ${persona}`),
    view && `view ${view}`,
    theme,
    direction === 'rtl' && 'right to left',
    width && `${width} px`,
    network && `network ${network}`,
    ...Object.entries(rest).map(([name, value]) => `${name} ${text(value)}`),
  ];
  return words.filter(Boolean).join(' · ');
}

function text(value: unknown): string {
  return typeof value === 'object'
    ? Object.entries(value ?? {})
        .map(([name, one]) => `${name}=${one}`)
        .join(', ')
    : String(value);
}
