import { systemClock } from '@gantry/bridge';
import type { Reply, ResourceRequest } from '@gantry/wire';
// A page has fetched these before an app writes.
import '../src/outbox/open-outbox.ts';
import '../src/results/freshness.ts';
import type { Container } from '../src/container-api.ts';
import { createContainer } from '../src/create-container.ts';
import type { Followed } from '../src/events/followed.ts';
import type { Gadget } from '../src/gadget.ts';
import { createMemoryStorage } from '../src/memory-storage.ts';
import type { TabChannel } from '../src/results/tabs.ts';
import type { ContainerStorage, ResultStorage } from '../src/storage.ts';
import { createMemoryResults } from './memory-results.ts';
import { createNetwork, type Network } from './network.ts';

/** A page with a network, a storage and a clock that stands still until it is set. */
export interface Setting {
  readonly network: Network;
  readonly storage: ReturnType<typeof createMemoryResults>;
  readonly clock: { nowMs: number };
  /** Another page of the same browser: same network, storage and clock. */
  newPage(storage?: ResultStorage): Container;
  /** Lets every page hear that it is to ask of an app. */
  change(app: string): void;
  /** Hides every page, or shows it again. */
  setHidden(isHidden: boolean): void;
  mount(container: Container, app?: string, owner?: string): Promise<TestGadget>;
}

/** A gadget whose requests are objects, which tests read more easily than text. */
export interface TestGadget extends Omit<Gadget, 'answer' | 'watch'> {
  answer(request: ResourceRequest, signal?: AbortSignal): Reply | Promise<Reply>;
  watch(request: ResourceRequest, push: (reply: Reply) => void): () => void;
}

export function asTestGadget(gadget: Gadget): TestGadget {
  const textOf = ({ operation, params }: ResourceRequest) => ({ operation, params: JSON.stringify(params) });
  return {
    ...gadget,
    answer: (request, signal) => gadget.answer(textOf(request), signal && { signal }),
    watch: (request, push) => gadget.watch(textOf(request), push),
  };
}

/** @param options.isMachineClock The pages have no clock of their own, so that apps get leases. */
export function createSetting({ isMachineClock = false } = {}): Setting {
  const network = createNetwork();
  const storage = createMemoryResults();
  const clock = { nowMs: 1_790_000_000_000 };
  const listeners: (() => void)[] = [];
  const followed = new Set<Followed>();
  let areHidden = false;
  const newChannel = createChannels();
  return {
    network,
    storage,
    clock,
    newPage: (pageStorage = storage) =>
      createContainer({
        base: 'https://site.test/gantry/',
        fetch: network.fetch,
        storage: withoutOutbox(pageStorage),
        ...(!isMachineClock && { clock: { ...systemClock, now: () => clock.nowMs } }),
        attention: { isHidden: () => areHidden, onReturn: (listener) => listeners.push(listener) },
        channel: newChannel(),
        follow(page) {
          followed.add(page);
          return () => undefined;
        },
      }),
    change(app) {
      for (const page of followed) page.onAppChanged(app);
    },
    setHidden(isHidden) {
      areHidden = isHidden;
      if (!isHidden) for (const listener of listeners) listener();
    },
    async mount(container, app = 'friends', owner) {
      const reply = await container.mount({ app, ...(owner !== undefined && { owner }) }, () => undefined);
      if ('error' in reply) throw new Error(reply.error.message);
      return asTestGadget(reply.ok);
    },
  };
}

/** A setting with one page, which shows one gadget. */
export async function mountOne(): Promise<Setting & { readonly gadget: TestGadget }> {
  const setting = createSetting();
  return { ...setting, gadget: await setting.mount(setting.newPage()) };
}

/** Without a place for an outbox, writes go where reads go; it has tests of its own. */
function withoutOutbox(results: ResultStorage): ContainerStorage {
  return {
    ...createMemoryStorage(),
    results,
    get writes(): never {
      throw new DOMException('Denied.', 'SecurityError');
    },
  };
}

/** Waits until the calls of this tick are sent and settled promises have run. */
export function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Makes one end after the other of a channel whose messages reach all other ends, copied and a tick
 * later.
 */
function createChannels(): () => TabChannel {
  const ends = new Set<(event: { readonly data: unknown }) => void>();
  return () => {
    let ownEnd: ((event: { readonly data: unknown }) => void) | undefined;
    return {
      postMessage(message) {
        const data = structuredClone(message);
        for (const end of ends) if (end !== ownEnd) queueMicrotask(() => end({ data }));
      },
      addEventListener(_, listener) {
        ownEnd = listener;
        ends.add(listener);
      },
    };
  };
}

export const friends: ResourceRequest = { operation: 'people.get', params: { groupId: '@friends' } };
export const stream: ResourceRequest = { operation: 'activities.get', params: { groupId: '@friends' } };
export const notes: ResourceRequest = { operation: 'appdata.get', params: {} };
export const post: ResourceRequest = { operation: 'activities.create', params: { activity: { title: 'Hello' } } };
export const save: ResourceRequest = { operation: 'appdata.update', params: { data: { a: '1' } } };
