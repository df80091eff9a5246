import { createContainer, defineGadgetElement, type ResultStorage } from '@gantry/container';
import type { LabAnswer } from '@gantry/dev/protocol';
import type { Scenario } from '@gantry/lab/scenario';

/** One member's container on a page of the dev host. */
export interface StageContainer {
  /** Name of its gadget element. Each container has its own, since a defined name stays for as long as its document. */
  readonly element: string;
}

/** A member who looks; `nobody` for one who is not signed in. */
export const nobody = 'nobody';

let count = 0; // element names are the document's, which has one registry

/**
 * Opens a container for one lab and member. All that connects the page to `createContainer` is here.
 *
 * @param options.clockMs Milliseconds by which the lab's clock is ahead now.
 */
export function openContainer(options: {
  readonly lab: LabAnswer;
  readonly persona: string;
  readonly locale: Scenario['locale'];
  readonly clockMs: () => number;
}): StageContainer {
  const { lab, persona, locale, clockMs } = options;
  const headers = { 'Gantry-Lab': lab.lab, ...(persona !== nobody && { 'Gantry-Persona': persona }) };
  const container = createContainer({
    base: new URL('/gantry/', location.href),
    ...(locale && { locale }),
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
    storage: memoryStorage(),
    channel: undefined,
    now: () => Date.now() + clockMs(),
  });
  count += 1;
  const element = `gantry-gadget-${count}`;
  defineGadgetElement(container, element);
  return { element };
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
