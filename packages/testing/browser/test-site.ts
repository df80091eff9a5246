import type { Entry } from '@gantry/lab';
import type { ClockState } from '@gantry/lab/two-hands';
import type { Ask, Asked, Opened, OpenRequest, Told } from '@gantry/testing/vitest';
import { commands } from 'vitest/browser';

declare module 'vitest/browser' {
  interface BrowserCommands {
    gantry(asked: Asked): Promise<Told>;
  }
}

/** The site of a test, which is in Node. */
export interface TestSite {
  readonly opened: Opened;
  /** Entries received so far. */
  readonly entries: readonly Entry[];
  readonly clock: ClockState;
  /** Sends a request to the site, and updates record and time. */
  ask(ask: Ask): Promise<unknown>;
  /** Updates the record, unless a request is under way. */
  refresh(): void;
}

/** @throws Error in one line for an app, a world or a scenario that cannot be used. */
export async function openTestSite(open: OpenRequest): Promise<TestSite> {
  const answer = await commands.gantry({ ask: 'open', open });
  const opened = answer.value as Opened;
  const entries: Entry[] = [];
  let { clock } = answer;
  let isAsking = false;

  async function ask(wanted: Ask): Promise<unknown> {
    const since = entries.at(-1)?.number ?? 0;
    const next = await commands.gantry({ ...wanted, lab: opened.lab, since });
    const last = entries.at(-1)?.number ?? 0; // another response may have been faster
    entries.push(...next.entries.filter(({ number }) => number > last));
    clock = next.clock;
    return next.value;
  }

  return {
    opened,
    entries,
    get clock() {
      return clock;
    },
    ask,
    refresh() {
      if (isAsking) return;
      isAsking = true;
      ask({ ask: 'entries' })
        .catch(() => undefined) // the test is over
        .finally(() => {
          isAsking = false;
        });
    },
  };
}
