import { systemClock } from '@gantry/bridge';
import { type ContainerOptions, createContainer, createMemoryStorage, defineGadgetElement } from '@gantry/container';
import type { Observed, ObservedAt } from '@gantry/wire';

// Script of a page that shows gadgets as tools do: several containers, each with its own tag,
// viewer and storage.

/** Container options that a test sets from outside of the page. */
export interface ToolSetting
  extends Pick<ContainerOptions, 'isDevelopment' | 'state' | 'params' | 'address' | 'locale'> {
  readonly viewer: string;
  readonly app: string;
  readonly emulation?: ReturnType<NonNullable<ContainerOptions['emulate']>>;
  /** Uses the browser's own storage, as a site does. */
  readonly isShared?: boolean;
}

export interface ToolPage {
  /** Defines a tag for a container and adds one gadget. */
  add(tag: string, setting: ToolSetting): void;
  /** Observations by the tag of their gadget. */
  readonly seen: Record<string, (Observed & ObservedAt)[]>;
  /** Advances the clock of all containers, and runs due timers. */
  jump(ms: number): void;
}

declare global {
  interface Window {
    tool: ToolPage;
  }
}

const seen: ToolPage['seen'] = {};
const due = new Set<{ readonly atMs: number; readonly callback: () => void }>();
let aheadMs = 0;
const clock = {
  ...systemClock,
  now: () => systemClock.now() + aheadMs,
  elapsed: () => systemClock.elapsed() + aheadMs,
  after(ms: number, callback: () => void) {
    const waiting = { atMs: clock.elapsed() + ms, callback: run };
    const stop = systemClock.after(ms, run);
    due.add(waiting);
    function run(): void {
      end();
      callback();
    }
    function end(): void {
      due.delete(waiting);
      stop();
    }
    return end;
  },
};

window.tool = {
  seen,
  add(tag, { viewer, app, emulation, isShared, ...options }) {
    const observations: (Observed & ObservedAt)[] = [];
    seen[tag] = observations;
    const container = createContainer({
      base: new URL('/gantry/', location.href),
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, viewer } }),
      observe: (observed) => observations.push(structuredClone(observed)),
      clock,
      ...(emulation && { emulate: () => emulation }),
      ...(!isShared && { storage: createMemoryStorage() }),
      ...options,
    });
    defineGadgetElement(container, tag);
    const gadget = document.createElement(tag);
    gadget.setAttribute('app', app);
    document.body.append(gadget);
  },
  jump(ms) {
    aheadMs += ms;
    for (const { atMs, callback } of [...due]) if (atMs <= clock.elapsed()) callback();
  },
};
