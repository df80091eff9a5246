import type { IncomingMessage, ServerResponse } from 'node:http';
import { SocialError } from '@gantry/wire';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { logRequest } from '../request-log.ts';
import type { Admission } from './admission.ts';
import { type Area, areaOf } from './area.ts';
import type { Client } from './client-address.ts';
import type { FailureLimit } from './failure-limit.ts';
import type { Load } from './load.ts';
import { type RequestContext, type RequestContexts, requestContext } from './request-context.ts';

/** What surrounds the work on each HTTP request: its id, its figures, and what refuses it before it costs anything. */
export interface Edge {
  /** Names a request, counts and logs it when its answer is done, and runs `work` on it as part of that. */
  follow(incoming: IncomingMessage, outgoing: ServerResponse, work: () => void): void;
  /** Why a request goes no further, if that is so. For what is being followed. */
  problem(): SocialError | undefined;
  /** Runs the work on what is being followed in its turn. `refuse` is called instead where that comes too late. */
  admit(outgoing: ServerResponse, run: () => void, refuse: (problem: SocialError) => void): void;
  /** Counts a request as being worked on until its answer is done. */
  work(outgoing: ServerResponse): void;
  /** Counts what was no request. */
  broken(): void;
}

export interface EdgeOptions {
  readonly contexts: RequestContexts;
  readonly clientOf: (incoming: IncomingMessage) => Client;
  readonly load: Load;
  readonly admission: Admission;
  readonly failures: FailureLimit;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Areas whose 401 means that someone failed to prove who they are. */
const authorized: ReadonlySet<Area> = new Set(['rest', 'rpc', 'oauth']);
/** Areas that answer whatever happens, so that whoever watches can see what does. */
const vital: ReadonlySet<Area> = new Set(['health', 'metrics']);

const overloaded = new SocialError('UNAVAILABLE', 'The server is overloaded: try again.', { retryAfter: 1 });

export function createEdge({ contexts, clientOf, load, admission, failures, metrics, log }: EdgeOptions): Edge {
  function problemOf({ client, area }: RequestContext): SocialError | undefined {
    if (load.isOverloaded && !vital.has(area)) {
      metrics.turned('overloaded');
      return overloaded;
    }
    const wait = authorized.has(area) ? failures.wait(client) : undefined;
    if (wait === undefined) return undefined;
    metrics.turned('failures');
    return new SocialError('RATE_LIMITED', `Too many failed authorizations from your address: go on in ${wait} s.`, {
      retryAfter: wait,
    });
  }

  return {
    follow(incoming, outgoing, work) {
      const startedAtMs = performance.now();
      const area = areaOf(incoming.url ?? '');
      const context = requestContext({ client: clientOf(incoming), area, incoming });
      outgoing.setHeader('X-Request-Id', context.id);
      outgoing.once('close', () => {
        const { statusCode: status } = outgoing;
        const seconds = (performance.now() - startedAtMs) / 1000;
        if (status === 401 && authorized.has(area)) failures.note(context.client);
        metrics.request({ area, status, seconds });
        const isWhole = outgoing.writableFinished;
        logRequest(log, { context, method: incoming.method ?? '', status, seconds, isWhole });
      });
      contexts.run(context, work);
    },
    problem() {
      const context = contexts.getStore();
      return context && problemOf(context);
    },
    admit(outgoing, run, refuse) {
      const context = contexts.getStore();
      if (!context || vital.has(context.area)) run();
      else
        admission.enter({
          run: () => contexts.run(context, run),
          refuse() {
            metrics.turned('waited');
            contexts.run(context, refuse, overloaded);
          },
          isGone: () => outgoing.destroyed,
        });
    },
    work(outgoing) {
      if (contexts.getStore()?.area === 'events') return; // open for minutes, and nearly always idle
      load.enter();
      outgoing.once('close', load.leave);
    },
    broken: () => metrics.turned('malformed'),
  };
}
