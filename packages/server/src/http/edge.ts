import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SocialError } from '@gantry/wire';
import type { Admission } from '../edge/admission.ts';
import { type Area, areaOf } from '../edge/area.ts';
import type { Client } from '../edge/client-address.ts';
import { createFailureLimit } from '../edge/failure-limit.ts';
import { type RequestContext, requestContext } from '../edge/request-context.ts';
import { logRequest } from '../telemetry/request-log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** Request ids, metrics, log and admission around each HTTP request. */
export type Edge = ReturnType<typeof createEdge>;

export interface EdgeOptions extends Pick<Telemetry, 'contexts' | 'load' | 'answers' | 'metrics' | 'log'> {
  readonly admission: Pick<Admission, 'enter'>;
  readonly clientOf: (incoming: IncomingMessage) => Client;
}

/** Areas whose 401 is a failed authentication. */
const authorized: ReadonlySet<Area> = new Set(['rest', 'rpc', 'oauth', 'registry']);
/** Areas that are never refused, so that monitoring works under overload. */
const monitoring: ReadonlySet<Area> = new Set(['health', 'metrics']);

const overloaded = new SocialError('UNAVAILABLE', 'The server is overloaded: try again.', { retryAfter: 1 });

export function createEdge({ contexts, clientOf, load, admission, answers, metrics, log }: EdgeOptions) {
  const failures = createFailureLimit();

  function problemOf({ client, area }: RequestContext): SocialError | undefined {
    if (load.isOverloaded && !monitoring.has(area)) {
      metrics.refusedAtEdge('overloaded');
      return overloaded;
    }
    const wait = authorized.has(area) ? failures.wait(client) : undefined;
    if (wait === undefined) return undefined;
    metrics.refusedAtEdge('failures');
    return new SocialError('RATE_LIMITED', `Too many failed authorizations from your address: retry in ${wait} s.`, {
      retryAfter: wait,
    });
  }

  return {
    /** Runs `work` on a request with an id, and counts and logs its response. */
    follow(incoming: IncomingMessage, outgoing: ServerResponse, work: () => void): void {
      const startedAtMs = performance.now();
      const area = areaOf(incoming.url ?? '');
      const context = requestContext({ client: clientOf(incoming), area, incoming });
      outgoing.setHeader('X-Request-Id', context.id);
      const end = AsyncResource.bind(() => {
        const { statusCode: status } = outgoing;
        const seconds = (performance.now() - startedAtMs) / 1000;
        if (status === 401 && authorized.has(area)) failures.note(context.client);
        metrics.request({ area, status, seconds });
        const isWhole = outgoing.writableFinished;
        logRequest(log, { context, method: incoming.method ?? '', status, seconds, isWhole });
      });
      outgoing.once('close', end); // a pipelined response ends in the previous one's context
      contexts.run(context, work);
    },
    /** Returns the reason to refuse the current request, if any. */
    problem(): SocialError | undefined {
      const context = contexts.getStore();
      return context && problemOf(context);
    },
    /** Runs the work on the current request in its turn, or `refuse` if it waited too long. */
    admit(outgoing: ServerResponse, run: () => void, refuse: (problem: SocialError) => void): void {
      const context = contexts.getStore();
      if (!context || monitoring.has(context.area)) run();
      // The queue runs in the context of whichever request started its timer.
      else
        admission.enter({
          run: AsyncResource.bind(run),
          refuse: AsyncResource.bind(() => {
            metrics.refusedAtEdge('waited');
            refuse(overloaded);
          }),
          isGone: () => outgoing.destroyed,
        });
    },
    /** Counts a request as in progress until its response is complete. */
    work(outgoing: ServerResponse): void {
      if (contexts.getStore()?.area === 'events') return; // open for minutes, and nearly always idle
      load.enter();
      outgoing.once('close', load.leave);
    },
    /**
     * Counts the bytes of an answer until its connection has them or is gone.
     *
     * @throws SocialError UNAVAILABLE if the answers together would be too large.
     */
    hold(outgoing: ServerResponse, bytes: number): void {
      try {
        outgoing.once('close', answers.hold(bytes));
      } catch (error) {
        metrics.refusedAtEdge('answers');
        throw error;
      }
    },
    /** Counts a malformed request. */
    broken: (): void => metrics.refusedAtEdge('malformed'),
  };
}
