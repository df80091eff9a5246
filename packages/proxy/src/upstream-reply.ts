import { SocialError } from '@gantry/wire';
import type { AskSite } from './answer-cache.ts';
import type { Log } from './calls.ts';
import { replyOf } from './reply.ts';
import type { Ask, UpstreamAnswer } from './upstream.ts';

const maxWaitMs = 10_000;

/** The end of every call's way: asks the upstream, and says its answer as apps know it. */
export function createUpstreamReply(options: {
  readonly ask: Ask;
  readonly now: () => number;
  readonly log: Log;
}): AskSite {
  const { ask, now, log } = options;

  return async ({ call, request, asker, consumer, receivedMs }, etag) => {
    // Behind a site that hangs, what waited for its turn would add up to minutes.
    if (now() - receivedMs > maxWaitMs) throw new SocialError('TIMED_OUT', 'The site is too slow at the moment.');
    const { operation } = request;
    const { app, viewer: requestor } = asker;
    const answer = await ask({ request, consumer, requestor, app, etag, write: call.write });
    if (answer.status === 304 && etag !== undefined) return { reply: 'unchanged', etag, ...keeping(answer) };
    if (answer.status === 401) log.error({ app: asker.app, operation }, 'upstream refused key or member');
    const reply = replyOf(answer, { request, asker, hidden: [consumer.key, consumer.secret], nowMs: now() });
    return { reply, etag: answer.etag, ...keeping(answer) };
  };
}

// Only what RFC 9111 says to a cache that keeps everything apart by member.
function keeping({ status, cacheControl = '' }: UpstreamAnswer): { mayKeep: boolean; maxAgeMs: number } {
  const says = cacheControl.toLowerCase();
  const seconds = says.includes('no-cache') ? undefined : /(?:^|[\s,])max-age=(\d{1,8})/.exec(says)?.[1];
  return {
    mayKeep: (status === 200 || status === 304) && !says.includes('no-store'),
    maxAgeMs: 1000 * Number(seconds ?? 0),
  };
}
