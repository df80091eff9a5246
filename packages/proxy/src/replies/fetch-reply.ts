import { SocialError } from '@gantry/wire';
import type { Ports } from '../ports.ts';
import type { SendCall, UpstreamAnswer } from '../upstream/upstream.ts';
import { replyOf } from './reply.ts';
import type { FetchReply } from './reply-cache.ts';

const maxWaitMs = 10_000;

/** Makes the last step of every call: sends it to the upstream and normalizes the answer. */
export function createReplyFetcher(ask: SendCall, { now, log }: Pick<Ports, 'now' | 'log'>): FetchReply {
  return async (context, etag) => {
    const { request, asker, consumer } = context;
    // With an upstream that hangs, queued calls would otherwise wait for minutes.
    if (now() - context.receivedMs > maxWaitMs)
      throw new SocialError('TIMED_OUT', 'The site is too slow at the moment.');
    const { operation } = request;
    const answer = await ask(context, etag);
    if (answer.status === 304 && etag !== undefined) return { reply: 'unchanged', etag, ...keeping(answer) };
    if (answer.status === 401) log.error({ app: asker.app, operation }, 'the upstream refused the key or the member');
    const reply = replyOf(answer, { request, asker, hidden: [consumer.key, consumer.secret], nowMs: now() });
    return { reply, etag: answer.etag, ...keeping(answer) };
  };
}

// Reads Cache-Control as a cache private to one member does (RFC 9111).
function keeping({ status, cacheControl = '', age = '' }: UpstreamAnswer): { mayKeep: boolean; maxAgeMs: number } {
  const directives = cacheControl.toLowerCase();
  const seconds = directives.includes('no-cache') ? undefined : /(?:^|[\s,])max-age=(\d{1,8})/.exec(directives)?.[1];
  const spent = Number(/^(\d+)\s*(?:,|$)/.exec(age)?.[1] ?? 0); // seconds in caches on the way
  return {
    mayKeep: (status === 200 || status === 304) && !directives.includes('no-store'),
    maxAgeMs: 1000 * Math.max(0, Number(seconds ?? 0) - spent),
  };
}
