import { createContainer, defineGadgetElement, type ResultStorage } from '@gantry/container';
import type { LabAnswer, RecordRequest } from '@gantry/dev/protocol';
import type { Scenario } from '@gantry/lab/scenario';
import type { Observed, ObservedAt } from '@gantry/wire';
import { placeSeparator } from './calls/row-log.ts';
import type { LabClock } from './create-lab-clock.ts';

/** One member's container on a page of the dev host. */
export interface StageContainer {
  /** Name of its gadget element. Each container has its own, since a defined name stays for as long as its document. */
  readonly element: string;
}

/** Takes what a page has seen, for the record. */
export type Report = (happening: RecordRequest[number]) => void;

/** A member who looks; `nobody` for one who is not signed in. */
export const nobody = 'nobody';

let count = 0; // element names are the document's, which has one registry

/**
 * Opens a container for one lab and member. All that connects the page to `createContainer` is here.
 *
 * @param options.clock Time of the lab.
 * @param options.scenario Returns the present one: its look may change while the container lives.
 */
export function openContainer(options: {
  readonly lab: LabAnswer;
  readonly persona: string;
  readonly clock: LabClock;
  readonly scenario: () => Scenario;
  readonly report: Report;
  /** What `gantry.state` holds at the start. */
  readonly state?: unknown;
}): StageContainer {
  const { lab, persona, clock, scenario, report, state } = options;
  const { locale, params } = scenario();
  const headers = { 'Gantry-Lab': lab.lab, ...(persona !== nobody && { 'Gantry-Persona': persona }) };
  const tools = {
    ...{ clock, state, params, isDevelopment: true, address: false },
    look: () => lookOf(scenario()),
    // Two containers of one page number their places alike: the member in front tells them apart.
    observe: ({ app, place, ...observed }: Observed & ObservedAt) =>
      report({ ...observed, app, lab: lab.lab, place: persona + placeSeparator + place }),
  };
  const container = createContainer({
    base: new URL('/gantry/', location.href),
    ...(locale && { locale }),
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
    storage: memoryStorage(),
    now: () => clock.now(),
    ...tools,
  });
  count += 1;
  const element = `gantry-gadget-${count}`;
  defineGadgetElement(container, element);
  return { element };
}

function lookOf({ contrast, motion, direction, timeZone }: Scenario): object {
  return {
    ...(contrast && { contrast }),
    ...(motion && { motion }),
    ...(direction && { direction }),
    ...(timeZone && { timeZone }),
  };
}

/** Keeps results as long as the container: a lab is gone with its run, and its results must not outlive it. */
function memoryStorage(): ResultStorage {
  const values = new Map<string, unknown>();
  return {
    entries: async () => [...values],
    async setMany(entries) {
      for (const [key, value] of entries) values.set(key, value);
    },
    async delMany(keys) {
      for (const key of keys) values.delete(key);
    },
    async clear() {
      values.clear();
    },
  };
}
