import type { Middleware } from '@gantry/proxy';
import { SocialError } from '@gantry/wire';
import {
  type CallFilter,
  callFilter,
  type FaultScope,
  type FilteredCall,
  failure,
  filteredCall,
  matches,
  unmetBy,
} from './call-filter.ts';
import type { Clock } from './clock.ts';
import type { Permissions } from './permissions.ts';
import type { Scenario } from './scenario/scenario.ts';

/** Faults of a lab's network, for the calls of its apps. The site refuses one by `calls.once`. */
export interface Faults {
  /** State of the network; armed faults stay. @throws SocialError BAD_REQUEST if unknown. */
  network: Network;
  /**
   * Arms a fault for the next call of an operation.
   *
   * @param operation Name as apps write it (`people.get`), or of one row of the API
   * (`people.getFriends`); `*` for any.
   * @throws SocialError BAD_REQUEST for an unknown name.
   */
  once(operation: string, of?: FaultScope): FaultChoice;
  /** Withdraws a permission from every app. @throws SocialError BAD_REQUEST if none declares it. */
  deny(permission: string): Promise<void>;
  /** Errors of armed faults that no call has met. */
  readonly unmet: readonly Error[];
  /** Ends all faults: the network is fast, nothing is armed, and denied permissions are back. */
  clear(): Promise<void>;
}

export type Network = NonNullable<Scenario['network']>;

export interface FaultChoice {
  /** The site handles the call, and the connection ends before the reply arrives. */
  dropReply(): void;
  /** Delays the call on its way to the site, by the lab's clock. */
  delay(ms: number): void;
  /** The connection ends before the site gets the call. */
  kill(): void;
}

/** A fault that was injected. */
export interface InjectedFault {
  readonly fault: 'slow' | 'offline' | 'fail' | 'answer' | 'dropReply' | 'delay' | 'kill';
  readonly operation?: string;
  readonly app?: string;
  readonly viewer?: string;
}

/** Hooks for the requests of pages and proxy. */
export interface FaultGates extends Faults {
  /** For the proxy: faults of the site. */
  readonly middleware: Middleware;
  /** Returns whether a request must call `enter`. */
  mayInject(path: string): boolean;
  enter(path: string, calls: () => Promise<readonly FilteredCall[]>): Promise<Verdict>;
}

/** `lose`: the connection ends before the site gets the request; `lose-reply`: after it did. */
export type Verdict = 'pass' | 'lose' | 'lose-reply';

type Armed = CallFilter & ({ readonly fault: 'delay'; readonly ms: number } | { readonly fault: 'dropReply' | 'kill' });

const networks: readonly Network[] = ['fast', 'slow', 'offline', 'fail-once'];
const slowMs = 2_000;
/** Requests that an offline page makes. Not instances: gadgets were mounted before. */
const networkPaths: ReadonlySet<string> = new Set([
  '/gantry/calls',
  '/gantry/events',
  '/gantry/grants',
  '/gantry/previews',
]);

/**
 * @param options.lost Called when the network goes away, to end open connections.
 * @param options.injected Called with each fault that was injected.
 */
export function createFaults(options: {
  readonly clock: Clock;
  readonly permissions: Pick<Permissions, 'deny' | 'restore'>;
  readonly network?: Network | undefined;
  readonly lost: () => void;
  readonly injected: (fault: InjectedFault) => void;
}): FaultGates {
  const { clock, permissions, lost } = options;
  let network = checkNetwork(options.network ?? 'fast');
  let armed: readonly Armed[] = [];
  let failedOnce = new Set<string>();

  function inject(fault: InjectedFault['fault'], call?: FilteredCall): void {
    const { app, viewer, names = [] } = call ?? {};
    const [operation] = names;
    const scope = { ...(operation && { operation }), ...(app && { app }), ...(viewer && { viewer }) };
    options.injected({ fault, ...scope });
  }

  /** Removes and returns the first armed fault of these kinds that matches a call. */
  function take<Kind extends Armed['fault']>(kinds: readonly Kind[], call: FilteredCall) {
    const match = armed.find((one) => (kinds as readonly string[]).includes(one.fault) && matches(one, call));
    if (match === undefined) return undefined;
    armed = armed.filter((one) => one !== match);
    inject(match.fault, call);
    return match as Extract<Armed, { fault: Kind }>;
  }

  function failsFirst(call: FilteredCall): boolean {
    if (network !== 'fail-once') return false;
    const key = JSON.stringify([call.viewer, call.app, call.names]);
    if (failedOnce.has(key)) return false;
    failedOnce.add(key);
    inject('fail', call);
    return true;
  }

  const middleware: Middleware = (next) => async (asking) => {
    const call = filteredCall(asking);
    if (failsFirst(call)) return { error: failure(503) };
    let arrived = asking;
    for (;;) {
      const fault = take(['delay'], call);
      if (fault === undefined) return next(arrived);
      await clock.pause(fault.ms);
      arrived = { ...asking, receivedMs: clock.now() }; // the proxy rejects calls that it received too long ago
    }
  };

  return {
    get network() {
      return network;
    },
    set network(next) {
      network = checkNetwork(next);
      failedOnce = new Set();
      if (next === 'offline') lost();
    },
    once(operation, of = {}) {
      const filter = callFilter(operation, of);
      const arm = (fault: Armed): void => {
        armed = [...armed, fault];
      };
      return {
        dropReply: () => arm({ ...filter, fault: 'dropReply' }),
        delay: (ms) => arm({ ...filter, fault: 'delay', ms }),
        kill: () => arm({ ...filter, fault: 'kill' }),
      };
    },
    deny: permissions.deny,
    get unmet() {
      const missing = armed.filter(({ optional }) => !optional);
      return missing.map(({ operation, fault }) => unmetBy(`faults.once('${operation}').${fault}`));
    },
    async clear() {
      network = 'fast';
      armed = [];
      await permissions.restore();
    },
    middleware,
    mayInject(path) {
      if (!networkPaths.has(path)) return false;
      return network === 'offline' || network === 'slow' || armed.some(({ fault }) => isLoss(fault));
    },
    async enter(path, calls) {
      if (network === 'offline') {
        inject('offline');
        return 'lose';
      }
      if (path !== '/gantry/calls') return 'pass';
      if (network === 'slow') {
        inject('slow');
        await clock.pause(slowMs);
      }
      if (!armed.some(({ fault }) => isLoss(fault))) return 'pass';
      for (const call of await calls()) {
        const fault = take(['kill', 'dropReply'], call);
        if (fault) return fault.fault === 'kill' ? 'lose' : 'lose-reply';
      }
      return 'pass';
    },
  };
}

function checkNetwork(network: Network): Network {
  if (networks.includes(network)) return network;
  throw new SocialError('BAD_REQUEST', `network is one of ${networks.join(', ')}.`);
}

function isLoss(fault: Armed['fault']): boolean {
  return fault === 'kill' || fault === 'dropReply';
}
