import {
  type Container,
  createContainer,
  createMemoryStorage,
  defineGadgetElement,
  type Emulation,
} from '@gantry/container';
import { nobody, type Scenario } from '@gantry/lab/scenario';
import type { Observe } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { Report } from './report.ts';

/** One member's container on a page of the dev host. */
export interface LabContainer {
  /** Name of its gadget element, one per container: a document never forgets a defined name. */
  readonly element: string;
  /** Forgets all results and writes of its member, as a site does when they sign out. */
  purge(): Promise<void>;
  /** Closes its event stream, one of the six connections of a browser. For a removed gadget. */
  close(): void;
}

/** Separates member and place in the record. */
export const placeSeparator = '/';

let count = 0; // element names are the document's, which has one registry

export interface LabContainerOptions {
  readonly lab: { readonly lab: string };
  readonly persona: string;
  /** Time of the lab. Default: the machine's. */
  readonly clock?: Clock;
  readonly scenario: () => Scenario;
  readonly observe?: Observe;
  /** Value of `gantry.state` at the start. */
  readonly state?: unknown;
  /** False saves one of the six connections of a browser: gadgets miss changes by others. */
  readonly follows?: boolean;
  /** Replaces the container's access to its site. */
  readonly host?: (container: Container) => Container;
  /** Network of the container. Default: the page's. */
  readonly network?: typeof fetch;
}

/**
 * Opens a container for one lab and member: the only caller of `createContainer` on these pages.
 *
 * @param options.scenario Returns the present one: it may change while the container lives.
 */
export function openContainer(options: LabContainerOptions): LabContainer {
  const { lab, persona, clock, scenario, observe, state, follows = true, network = fetch } = options;
  const { host = (same) => same } = options;
  const { locale, params } = scenario();
  const headers = { 'Gantry-Lab': lab.lab, ...(persona !== nobody && { 'Gantry-Persona': persona }) };
  const over = new AbortController();
  const isStream = ({ pathname }: URL): boolean => pathname.endsWith('/gantry/events');
  const container = createContainer({
    base: new URL('/gantry/', location.href),
    fetch(url, init) {
      const signals = [...(init.signal ? [init.signal] : []), ...(isStream(url) ? [over.signal] : [])];
      const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
      return network(url, { ...init, headers: { ...init.headers, ...headers }, ...(signal && { signal }) });
    },
    storage: createMemoryStorage(), // results must not outlive the lab
    isDevelopment: true,
    address: false,
    emulate: () => emulationOf(scenario()),
    state,
    ...(clock && { clock }),
    ...(locale && { locale }),
    ...(params && { params }),
    ...(observe && { observe }),
    ...(!follows && { follow: () => () => {} }),
  });
  count += 1;
  const element = `gantry-gadget-${count}`;
  defineGadgetElement(host(container), element);
  return { element, purge: () => container.purge(), close: () => over.abort() };
}

/** Observes a container. Places are numbered alike in each, so the member's id precedes them. */
export function observeFor(lab: { readonly lab: string }, persona: string, report: Report): Observe {
  return ({ place, ...observed }) => report({ ...observed, lab: lab.lab, place: persona + placeSeparator + place });
}

function emulationOf({ contrast, motion, direction, locale, timeZone }: Scenario): Emulation {
  return {
    ...(contrast && { contrast }),
    ...(motion && { motion }),
    ...(direction && { direction }),
    ...(locale && { locale }),
    ...(timeZone && { timeZone }),
  };
}
