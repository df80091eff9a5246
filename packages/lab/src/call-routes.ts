import type { CallContext, Middleware } from '@gantry/proxy';
import type { Reply, WireError } from '@gantry/wire';
import { checkAnswer } from './call-answers.ts';
import {
  type CallFilter,
  callFilter,
  type FaultScope,
  failure,
  filteredCall,
  matches,
  unmetBy,
} from './call-filter.ts';
import type { InjectedFault } from './faults.ts';

/**
 * Calls of apps under control of a test: it answers them, fails them, holds them, or lets them
 * through. A call arrives here when page and proxy would send it to the site: its permissions are
 * granted, and the page has no fresh result. Reads from the page's cache and retries of finished
 * writes do not arrive. The proxy's cache comes after this, so its reads do.
 */
export interface CallRoutes {
  /**
   * Routes calls of an operation to a handler, until `unroute`. Only the newest gets a call.
   *
   * @example
   * lab.calls.route('people.get', (call) => call.fail(503));
   * @param operation Name as apps write it (`people.get`), or of one row of the API
   * (`people.getFriends`); `*` for any.
   * @throws SocialError BAD_REQUEST for an unknown name.
   */
  route(operation: string, handler: CallHandler, of?: FaultScope): void;
  /** Routes the next call of an operation. @throws SocialError BAD_REQUEST for an unknown name. */
  once(operation: string, handler: CallHandler, of?: FaultScope): void;
  /**
   * Holds the next call of an operation.
   *
   * @example
   * const post = lab.calls.hold('activities.create');
   * await gadget.frame.getByRole('button', { name: 'Post' }).click();
   * await post.arrived;
   * await expect(gadget.frame.getByText('Posting')).toBeVisible();
   * post.release();
   * @throws SocialError BAD_REQUEST for an unknown name.
   */
  hold(operation: string, of?: FaultScope): HeldCall;
  /** Removes handlers: of one operation, one handler of it, or all. Their open calls stay. */
  unroute(operation?: string, handler?: CallHandler): void;
  /** Calls that wait for a decision of the test, the oldest first. */
  readonly waiting: readonly WaitingCall[];
  /**
   * Lets held calls through and removes all handlers.
   *
   * @returns Errors that a test must fail with: those that handlers threw, and one for each call
   * that got no decision, and for each handler that got no call.
   */
  end(): readonly Error[];
}

/** Decides one call, now or later. An error that it throws fails the test. */
export type CallHandler = (call: RoutedCall) => unknown;

/** Facts of a call. */
export interface CallFacts {
  /** Name as apps write it. */
  readonly operation: string;
  /** As the app gave them. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly viewer: string;
  readonly app: string;
}

/** A call that waits for a decision: one of its functions, called once. A second call throws. */
export interface RoutedCall extends CallFacts {
  /**
   * Answers in the site's place.
   *
   * @param value Result as the app gets it: a person,
   * `{ list, startIndex, totalResults, itemsPerPage }`, AppData by member.
   * @throws TypeError unless it is plain data of the shape that results of this call have.
   */
  answer(value: unknown): void;
  /**
   * Refuses in the site's place. Nothing is done.
   *
   * @param reason Word in `error.data.reason`. Default: the usual one of the status.
   */
  fail(status: number, reason?: string): void;
  /** Lets the site answer. */
  pass(): void;
}

/** The next call of an operation. Its functions may be called before it arrives. */
export interface HeldCall {
  /** Resolves when the call arrives. Rejects if the test ends before. */
  readonly arrived: Promise<CallFacts>;
  /** Lets the site answer. */
  release(): void;
  /** @throws TypeError as `RoutedCall.answer`. Before the call arrives, the test fails with it. */
  answer(value: unknown): void;
  fail(status: number, reason?: string): void;
}

export interface WaitingCall extends CallFacts {
  /** Call of the test that holds it: `calls.hold('activities.create')`. */
  readonly heldBy: string;
}

type Decision = { readonly pass: true } | { readonly reply: Reply; readonly fault: InjectedFault['fault'] };

interface Route {
  readonly filter: CallFilter;
  readonly handler: CallHandler;
  readonly isOnce: boolean;
  readonly name: string;
  /** The test may end while a call is open. */
  readonly mayHold: boolean;
}

interface Open {
  readonly facts: CallFacts;
  readonly route: Route;
  letGo(): void;
}

const ownError: WireError = {
  code: 500,
  message: 'The handler of this call threw an error, which the test fails with.',
  data: { reason: 'UPSTREAM_FAILED' },
};

/**
 * @param options.now Milliseconds since the epoch: a held call counts from its release.
 * @param options.injected Called with each call that did not reach the site.
 */
export function createCallRoutes(options: {
  readonly now: () => number;
  readonly injected: (fault: InjectedFault) => void;
}): CallRoutes & { readonly middleware: Middleware } {
  const { now, injected } = options;
  let routes: readonly Route[] = [];
  let isOver = false;
  const waiting = new Set<Open>();
  const missed = new Set<() => void>(); // fails a `hold` whose call did not arrive
  const problems: Error[] = [];
  const unmet = new Map<Route, Error>(); // created with the route, so that the stack names its line

  function add(route: Route): void {
    routes = [route, ...routes];
    if (!route.filter.optional) unmet.set(route, unmetBy(route.name));
  }

  function take(asking: CallContext): Route | undefined {
    const call = filteredCall(asking);
    const route = routes.find(({ filter }) => matches(filter, call));
    if (route) unmet.delete(route);
    if (route?.isOnce) routes = routes.filter((one) => one !== route);
    return route;
  }

  async function decide(route: Route, asking: CallContext): Promise<Decision> {
    const { promise, resolve } = Promise.withResolvers<Decision>();
    const facts = factsOf(asking);
    const open: Open = { facts, route, letGo: () => resolve({ pass: true }) };
    let decided: string | undefined;
    const settle = (word: string, decision: Decision): void => {
      if (decided !== undefined && !isOver) {
        throw new Error(`${route.name}: the call got ${word}(), and had got ${decided}() before. Decide once.`);
      }
      decided ??= word;
      waiting.delete(open);
      resolve(decision);
    };
    const call: RoutedCall = {
      ...facts,
      answer: (value) => {
        const ok = checkAnswer(asking.request.operation, value);
        settle('answer', { reply: { ok }, fault: 'answer' });
      },
      fail: (status, reason) => settle('fail', { reply: { error: failure(status, reason) }, fault: 'fail' }),
      pass: () => settle('pass', { pass: true }),
    };
    waiting.add(open);
    const run = async (): Promise<void> => void (await route.handler(call));
    run().catch((thrown: unknown) => {
      if (!isOver) problems.push(thrown instanceof Error ? thrown : new Error(String(thrown)));
      waiting.delete(open);
      resolve({ reply: { error: ownError }, fault: 'fail' });
    });
    return promise;
  }

  return {
    route: (operation, handler, of = {}) => add({ ...given('route', operation, of), handler }),
    once: (operation, handler, of = {}) => add({ ...given('once', operation, of), handler }),
    hold(operation, of = {}) {
      const route = given('hold', operation, of);
      const { promise, resolve, reject } = Promise.withResolvers<CallFacts>();
      promise.catch(() => {}); // the test may read `arrived` later
      let call: RoutedCall | undefined;
      let early: ((call: RoutedCall) => void) | undefined;
      const miss = (): void => reject(unmetBy(route.name));
      const decideNow = (decision: (call: RoutedCall) => void): void => {
        if (call) decision(call);
        else early ??= decision;
      };
      missed.add(miss);
      add({
        ...route,
        handler(arrived) {
          call = arrived;
          missed.delete(miss);
          const { operation: name, params, viewer, app } = arrived;
          resolve({ operation: name, params, viewer, app });
          early?.(arrived);
        },
      });
      return {
        arrived: promise,
        release: () => decideNow((one) => one.pass()),
        answer: (value) => decideNow((one) => one.answer(value)),
        fail: (status, reason) => decideNow((one) => one.fail(status, reason)),
      };
    },
    unroute(operation, handler) {
      routes = routes.filter(
        (one) =>
          (operation !== undefined && one.filter.operation !== operation) ||
          (handler !== undefined && one.handler !== handler),
      );
    },
    get waiting() {
      return [...waiting].map(({ facts, route }) => ({ ...facts, heldBy: route.name }));
    },
    end() {
      routes = [];
      for (const { facts, route } of waiting) if (!route.mayHold) problems.push(undecided(route.name, facts));
      for (const miss of missed) miss();
      problems.push(...unmet.values());
      unmet.clear();
      isOver = true;
      for (const { letGo } of waiting) letGo();
      waiting.clear();
      missed.clear();
      return problems.splice(0);
    },
    middleware: (next) => async (asking) => {
      const route = isOver ? undefined : take(asking);
      if (route === undefined) return next(asking);
      const decision = await decide(route, asking);
      if ('pass' in decision) return next({ ...asking, receivedMs: now() });
      const { viewer, app } = asking.asker;
      injected({ fault: decision.fault, operation: asking.call.operation, app, viewer });
      return decision.reply;
    },
  };
}

function given(word: 'route' | 'once' | 'hold', operation: string, of: FaultScope) {
  const name = `calls.${word}('${operation}')`;
  return { filter: callFilter(operation, of), name, isOnce: word !== 'route', mayHold: word === 'hold' };
}

/** Copies the parameters, so that a handler cannot change the request to the site. */
function factsOf({ call, asker }: CallContext): CallFacts {
  const { operation, params } = call;
  return { operation, params: structuredClone(params), viewer: asker.viewer, app: asker.app };
}

function undecided(name: string, { operation, app, viewer }: CallFacts): Error {
  return new Error(
    `${name} made no decision about ${operation} of ${app}, for ${viewer}: call answer(), fail() or pass() before the test ends.`,
  );
}
