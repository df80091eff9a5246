import { SocialError } from '@gantry/wire';
import type { Send } from './call-path.ts';
import type { Log } from './calls.ts';
import { replyOf } from './reply.ts';
import type { Ask } from './upstream.ts';

const maxWaitMs = 10_000;

/** The end of every call's way: asks the upstream, and says its answer as apps know it. */
export function createUpstreamReply(options: {
  readonly ask: Ask;
  readonly now: () => number;
  readonly log: Log;
}): Send {
  const { ask, now, log } = options;

  return async ({ call, request, asker, consumer, receivedMs }) => {
    // Behind a site that hangs, what waited for its turn would add up to minutes.
    if (now() - receivedMs > maxWaitMs) throw new SocialError('TIMED_OUT', 'The site is too slow at the moment.');
    const { operation } = request;
    const { key, secret } = consumer;
    const answer = await ask(request, consumer, asker.viewer, { key: call.write });
    if (answer.status === 401) log.error({ app: asker.app, operation }, 'upstream refused key or member');
    return replyOf(answer, { request, asker, hidden: [key, secret], nowMs: now() });
  };
}
