import type { GantryGadget } from '@gantry/container';
import { nobody, type Scenario } from '@gantry/lab/scenario';
import type { Observe, WireError } from '@gantry/wire';
import { type LabContainer, type LabContainerOptions, observeFor, openContainer } from './open-container.ts';
import type { Report } from './report.ts';

/** An app in a state, as a story or a test names it. */
export interface Subject {
  /** Names it in errors. */
  readonly id: string;
  readonly app: string;
  readonly scenario: Scenario;
  /** Value of `gantry.state` at the start. */
  readonly state?: unknown;
}

export interface MountGadgetOptions extends Pick<LabContainerOptions, 'clock' | 'network' | 'host'> {
  /** Lab in which the app runs. */
  readonly lab: { readonly lab: string; readonly personas: readonly { readonly id: string }[] };
  /** Receives all that app and page exchange. */
  readonly observe?: Observe;
  /** Receives the same for the record. */
  readonly report?: Report;
  /** Receives changes by others, over one of the six connections of a browser. */
  readonly follows: boolean;
  /** CSS width for a subject whose scenario names none. Default: as wide as the page allows. */
  readonly usualWidth?: string;
}

/** An app on the page. */
export interface MountedGadget extends Omit<LabContainer, 'element'> {
  readonly gadget: GantryGadget;
  readonly viewer: string;
  /** Resolves when the gadget is ready or asks for consent. @throws Error if it cannot be shown. */
  readonly settled: Promise<void>;
  /** Shows another scenario without a reload. Returns false if it needs one. */
  update(subject: Subject): boolean;
}

/** Members that change what a gadget looks like, and nothing in its lab or its container. */
const live: readonly (keyof Scenario)[] = ['width', 'theme', 'contrast', 'motion', 'direction', 'timeZone'];

/** Shows an app in a place of the page, with a container of its own. */
export function mountGadget(place: HTMLElement, subject: Subject, options: MountGadgetOptions): MountedGadget {
  const { lab, clock, observe, report, follows, network, usualWidth, host } = options;
  let shown = subject.scenario;
  const viewer = shown.persona ?? lab.personas[0]?.id ?? nobody;
  const observers = [observe, report && observeFor(lab, viewer, report)].filter((one) => one !== undefined);
  const { element, purge, close } = openContainer({
    lab,
    persona: viewer,
    state: subject.state,
    scenario: () => shown,
    follows,
    ...(clock && { clock }),
    ...(host && { host }),
    ...(network && { network }),
    ...(observers.length > 0 && {
      observe(observed) {
        for (const tell of observers) tell(observed);
      },
    }),
  });
  const gadget = document.createElement(element) as GantryGadget;
  gadget.setAttribute('app', subject.app);
  gadget.setAttribute('loading', 'eager');
  if (shown.view) gadget.setAttribute('view', shown.view);
  if (shown.owner) gadget.setAttribute('owner', shown.owner);
  dress(place, shown, usualWidth);
  const settled = new Promise<void>((resolve, reject) => {
    let error: WireError | undefined;
    gadget.addEventListener('gantry-error', ({ detail }) => {
      error = detail;
      if (gadget.state === 'failed') fail();
    });
    gadget.addEventListener('gantry-state', ({ detail: { state } }) => {
      if (state === 'ready' || state === 'asking') resolve();
    });
    const fail = (): void =>
      reject(new Error(`${subject.id} cannot be shown: ${error?.message ?? 'no reason was given.'}`));
  });
  settled.catch(() => {}); // the caller may await it later
  place.replaceChildren(gadget);
  return {
    gadget,
    purge,
    close,
    viewer,
    settled,
    update(next) {
      if (next.app !== subject.app || !isLive(shown, next.scenario)) return false;
      shown = next.scenario;
      dress(place, shown, usualWidth);
      document.dispatchEvent(new Event('gantry-refresh'));
      return true;
    },
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
