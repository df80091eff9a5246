import type { CallContext, Stage } from '@gantry/proxy';
import { type ErrorCode, errorStatus, operations, type Reply, SocialError } from '@gantry/wire';
import type { Clock } from './clock.ts';
import type { Permissions } from './permissions.ts';
import type { Scenario } from './scenario/scenario.ts';

/** Faults of a lab's network and site, for the calls of its apps. */
export interface Faults {
  /**
   * The state of the network. Setting it leaves armed faults as they are. @throws SocialError
   * BAD_REQUEST for another word.
   */
  network: Network;
  /**
   * Arms a fault for the next call of an operation.
   *
   * @param operation Name as apps write it (`people.get`), or of one row of the API
   * (`people.getFriends`); `*` for any.
   * @throws SocialError BAD_REQUEST for an unknown name.
   */
  once(operation: string, of?: FaultScope): FaultChoice;
  /**
   * Takes a permission back from every app. @throws SocialError BAD_REQUEST for one that no app
   * declares.
   */
  deny(permission: string): Promise<void>;
  /** Ends all faults: the network is fast, nothing is armed, and denied permissions are back. */
  clear(): Promise<void>;
  /** Calls `listener` with each fault that struck, until the returned function is called. */
  subscribe(listener: (strike: Strike) => void): () => void;
}

export type Network = NonNullable<Scenario['network']>;

export interface FaultScope {
  /** Only for calls of this member. */
  readonly viewer?: string | undefined;
  readonly app?: string | undefined;
}

export interface FaultChoice {
  /**
   * The site refuses: the app gets this error. Nothing is done.
   *
   * @param reason Word in `error.data.reason`. Default: the usual one of the status.
   */
  fail(status: number, reason?: string): void;
  /** The site handles the call, and the connection ends before the reply arrives. */
  dropReply(): void;
  /** Delays the call on its way to the site, by the lab's clock. */
  delay(ms: number): void;
  /** The connection ends before the site gets the call. */
  kill(): void;
}

/** A fault that struck. */
export interface Strike {
  readonly fault: 'slow' | 'offline' | 'fail' | 'answer' | 'dropReply' | 'delay' | 'kill';
  readonly operation?: string;
  readonly app?: string;
  readonly viewer?: string;
}

/** Hooks for the requests of pages and proxy. */
export interface FaultGates extends Faults {
  /** For the proxy: faults of the site. */
  readonly stage: Stage;
  /** Returns whether a request must call `enter`. */
  mayStrike(path: string): boolean;
  /** Decides what happens to a request. */
  enter(path: string, calls: () => Promise<readonly FaultyCall[]>): Promise<Verdict>;
}

/** A call, as far as a fault is matched. */
export interface FaultyCall {
  readonly app?: string | undefined;
  readonly viewer?: string | undefined;
  /** Names of the operation: the app's, and the row's. */
  readonly names: readonly string[];
}

/** `lose`: the connection ends before the site gets the request; `lose-reply`: after it did. */
export type Verdict = 'pass' | 'lose' | 'lose-reply';

type Armed = FaultScope & { readonly operation: string } & (
    | { readonly fault: 'fail'; readonly error: Extract<Reply, { error: unknown }>['error'] }
    | { readonly fault: 'delay'; readonly ms: number }
    | { readonly fault: 'dropReply' | 'kill' }
  );

const networks: readonly Network[] = ['fast', 'slow', 'offline', 'fail-once'];
const slowMs = 2_000;
/** Requests that an offline page makes. Not instances: gadgets were mounted before. */
const networkPaths: ReadonlySet<string> = new Set(['/gantry/calls', '/gantry/events', '/gantry/grants']);
const known: ReadonlySet<string> = new Set([
  '*',
  ...Object.entries(operations).flatMap(([id, { osapi }]) => [id, osapi]),
]);

/** @param options.lost Called when the network goes away: connections that are open end. */
export function createFaults(options: {
  readonly clock: Clock;
  readonly permissions: Pick<Permissions, 'deny' | 'restore'>;
  readonly network?: Network | undefined;
  readonly lost: () => void;
}): FaultGates {
  const { clock, permissions, lost } = options;
  let network = checkNetwork(options.network ?? 'fast');
  let armed: readonly Armed[] = [];
  let failedOnce = new Set<string>();
  const listeners = new Set<(strike: Strike) => void>();

  function strike(fault: Strike['fault'], call?: FaultyCall): void {
    const { app, viewer, names = [] } = call ?? {};
    const [operation] = names;
    const struck = { ...(operation && { operation }), ...(app && { app }), ...(viewer && { viewer }) };
    for (const listener of listeners) listener({ fault, ...struck });
  }

  /** Removes and returns the first armed fault of these kinds that matches a call. */
  function take<Kind extends Armed['fault']>(kinds: readonly Kind[], call: FaultyCall) {
    const found = armed.find((one) => (kinds as readonly string[]).includes(one.fault) && isMeant(one, call));
    if (found === undefined) return undefined;
    armed = armed.filter((one) => one !== found);
    strike(found.fault, call);
    return found as Extract<Armed, { fault: Kind }>;
  }

  function failsFirst(call: FaultyCall): boolean {
    if (network !== 'fail-once') return false;
    const key = JSON.stringify([call.viewer, call.app, call.names]);
    if (failedOnce.has(key)) return false;
    failedOnce.add(key);
    strike('fail', call);
    return true;
  }

  const stage: Stage = (next) => async (asking) => {
    const call = callOf(asking);
    if (failsFirst(call)) return { error: failure(503) };
    let arrived = asking;
    for (;;) {
      const fault = take(['fail', 'delay'], call);
      if (fault === undefined) return next(arrived);
      if (fault.fault === 'fail') return { error: fault.error };
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
      if (!known.has(operation)) {
        throw new SocialError('BAD_REQUEST', `There is no operation ${operation}: name one such as people.get, or *.`);
      }
      const arm = (fault: Armed): void => {
        armed = [...armed, fault];
      };
      return {
        fail: (status, reason) => arm({ ...of, operation, fault: 'fail', error: failure(status, reason) }),
        dropReply: () => arm({ ...of, operation, fault: 'dropReply' }),
        delay: (ms) => arm({ ...of, operation, fault: 'delay', ms }),
        kill: () => arm({ ...of, operation, fault: 'kill' }),
      };
    },
    deny: permissions.deny,
    async clear() {
      network = 'fast';
      armed = [];
      await permissions.restore();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stage,
    mayStrike(path) {
      if (!networkPaths.has(path)) return false;
      return network === 'offline' || network === 'slow' || armed.some(({ fault }) => isLoss(fault));
    },
    async enter(path, calls) {
      if (network === 'offline') {
        strike('offline');
        return 'lose';
      }
      if (path !== '/gantry/calls') return 'pass';
      if (network === 'slow') {
        strike('slow');
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

function isMeant({ operation, viewer, app }: Armed, call: FaultyCall): boolean {
  if (viewer !== undefined && viewer !== call.viewer) return false;
  if (app !== undefined && app !== call.app) return false;
  return operation === '*' || call.names.includes(operation);
}

function callOf({ call, request, asker }: CallContext): FaultyCall {
  return { app: asker.app, viewer: asker.viewer, names: [call.operation, request.operation] };
}

/** Makes the error of a failed call. Without `Retry-After`, proxy and page would retry some. */
export function failure(status: number, reason = wordOf(status)) {
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new SocialError('BAD_REQUEST', 'A call fails with a status from 400 to 599.');
  }
  const data = status === 429 || status === 503 ? { reason, retryAfter: 1 } : { reason };
  return { code: status, message: `The lab made this call fail with ${status}.`, data };
}

function wordOf(status: number): string {
  const words = Object.entries(errorStatus) as [ErrorCode, number][];
  return words.find(([, code]) => code === status)?.[0] ?? (status < 500 ? 'BAD_REQUEST' : 'UPSTREAM_FAILED');
}
