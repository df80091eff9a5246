import type { CallContext, Middleware } from './call-path.ts';
import { createShares } from './calls/call-limits.ts';
import { permit } from './calls/permit.ts';
import { createWriteOnce } from './calls/write-once.ts';
import type { ChangeSource } from './events/changes.ts';
import { createInstallMiddleware } from './installs/installs.ts';
import type { Ports } from './ports.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { createReplyFetcher } from './replies/fetch-reply.ts';
import { createReplyCache, createReplyJson } from './replies/reply-cache.ts';
import { createBreaker } from './upstream/breaker.ts';
import { createUpstream, targetOf } from './upstream/upstream.ts';

const deadlineMs = 10_000;

/** Puts together the stages that every call passes, from permission to cache and upstream. */
export function createSend(
  options: ProxyOptions & Ports,
  changes: ChangeSource & { readonly middleware?: Middleware },
) {
  const { upstreamUrl, confirms, honoursKeys = false, installs, now, observe } = options;
  const breaker = createBreaker(now);
  observe?.breaker?.(() => breaker.state);
  const askUpstream = createReplyFetcher(createUpstream({ ...options, deadlineMs, breaker }), options);
  const rootPath = new URL(upstreamUrl).pathname.replace(/\/$/, '');
  const inShare = createShares({ atOnce: 32, waiting: 1_000, observe });
  const jsonOf = createReplyJson();
  const confirm =
    confirms &&
    ((context: Pick<CallContext, 'request' | 'asker' | 'consumer'>, etag: string) => {
      const rawTarget = rootPath + targetOf(context);
      return confirms({ rawTarget, consumerKey: context.consumer.key, requestorId: context.asker.viewer, etag });
    });
  const { send, foresee, close } = createReplyCache({
    ...options,
    confirm,
    async fetchReply(context, etag) {
      const { asker, foreseen } = context;
      const isAsked = foreseen !== undefined; // and the answer was no: the read itself decides
      const isConfirmed = etag !== undefined && !isAsked && (await confirm?.(context, etag));
      if (isConfirmed) return { reply: 'unchanged', etag, mayKeep: true, maxAgeMs: 0 };
      return inShare(asker.app, () => askUpstream(context, etag));
    },
    jsonOf,
    maxBytes: 32 * 1024 * 1024,
    feed: changes.cacheFeed,
  });
  // The first is the outermost.
  const middlewares: readonly Middleware[] = [
    permit,
    createWriteOnce({ ...options, honoursKeys, longestMs: 2 * deadlineMs }),
    ...(installs ? [createInstallMiddleware(installs, now)] : []),
    ...(changes.middleware ? [changes.middleware] : []),
    ...(options.middleware ? [options.middleware] : []),
  ];
  return { send: middlewares.reduceRight((next, middleware) => middleware(next), send), foresee, jsonOf, close };
}
