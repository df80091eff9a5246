// The seam to the container: shows one story in a place, with a lab of its own.
import type { GantryGadget } from '@gantry/container';
import type { MountableStory } from '@gantry/dev/protocol';
import type { Scenario } from '@gantry/lab';
import type { Observe, WireError } from '@gantry/wire';
import type { StageFacts } from '../agent-port.ts';
import { nobody, observeFor, openContainer, type Report } from '../open-container.ts';
import { closeLab, openLab } from './api.ts';

export interface StageOptions {
  /** Hears what app and page say to each other. */
  readonly observe?: Observe;
  /** Takes the same for the record. */
  readonly report?: Report;
  /** True where the gadget hears of changes that others make: one connection of the six that a browser allows. */
  readonly follows: boolean;
  /** CSS width of a story that names none. Default: as wide as the page allows. */
  readonly usualWidth?: string;
}

/** A story on the page. */
export interface Stage {
  readonly gadget: GantryGadget;
  readonly facts: StageFacts;
  /** Resolves when the gadget is ready or asks for consent. @throws Error if the app cannot be shown. */
  readonly settled: Promise<void>;
  /** Shows other members of the same story, without loading the app anew where that is possible. */
  update(story: MountableStory): boolean;
  /** Ends its lab too. The element stays until somebody removes it. */
  close(): void;
}

/** Members that change what a gadget looks like, and nothing in its lab or its container. */
const live: readonly (keyof Scenario)[] = ['width', 'theme', 'contrast', 'motion', 'direction', 'timeZone'];

/** @throws Error if its lab cannot be made. */
export async function openStage(place: HTMLElement, story: MountableStory, options: StageOptions): Promise<Stage> {
  const request = { scenario: story.scenario, ...(story.story !== undefined && { story: story.story }) };
  const lab = await openLab(request);
  let shown = story.scenario;
  const viewer = shown.persona ?? lab.personas[0]?.id ?? nobody;
  const { observe, report, follows } = options;
  const told = [observe, report && observeFor(lab, viewer, report)].filter((one) => one !== undefined);
  const { element } = openContainer({
    ...{ lab, persona: viewer, state: story.state, scenario: () => shown, follows },
    ...(told.length > 0 && {
      observe(observed) {
        for (const tell of told) tell(observed);
      },
    }),
  });
  const gadget = document.createElement(element) as GantryGadget;
  gadget.setAttribute('app', story.app);
  gadget.setAttribute('loading', 'eager');
  if (shown.view) gadget.setAttribute('view', shown.view);
  if (shown.owner) gadget.setAttribute('owner', shown.owner);
  dress(place, shown, options.usualWidth);
  const settled = whenSettled(gadget, story.id);
  settled.catch(() => {}); // heard by the caller, who may not have asked yet
  place.replaceChildren(gadget);
  return {
    gadget,
    facts: { gadget, lab, app: story.app, viewer },
    settled,
    update(next) {
      if (next.app !== story.app || !isLive(shown, next.scenario)) return false;
      shown = next.scenario;
      dress(place, shown, options.usualWidth);
      document.dispatchEvent(new Event('gantry-refresh'));
      return true;
    },
    close: () => closeLab(lab),
  };
}

function dress(place: HTMLElement, { width, theme, direction, locale }: Scenario, usualWidth = ''): void {
  place.style.inlineSize = width === undefined ? usualWidth : `${width}px`;
  place.style.colorScheme = theme ?? '';
  place.dir = direction ?? '';
  place.lang = locale ?? '';
}

function isLive(from: Scenario, to: Scenario): boolean {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]) as Set<keyof Scenario>;
  return [...names].every((name) => live.includes(name) || JSON.stringify(from[name]) === JSON.stringify(to[name]));
}

function whenSettled(gadget: GantryGadget, id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let error: WireError | undefined;
    gadget.addEventListener('gantry-error', ({ detail }) => {
      error = detail;
      if (gadget.state === 'failed') fail();
    });
    gadget.addEventListener('gantry-state', ({ detail: { state } }) => {
      if (state === 'ready' || state === 'asking') resolve();
    });
    const fail = (): void => reject(new Error(`${id} cannot be shown: ${error?.message ?? 'no reason was given.'}`));
  });
}
