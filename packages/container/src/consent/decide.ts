import type { GrantsAnswer, GrantsRequest, PreviewRequest, Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { withinDeadline } from '../calls/deadline.ts';
import { outOfReach } from '../calls/failures.ts';
import type { ProxyClient } from '../calls/proxy-client.ts';
import type { Session } from '../calls/session.ts';
import type { Sessions } from '../calls/sessions.ts';
import type { Decided, Decision } from '../gadget.ts';
import type { TabMessage } from '../results/tabs.ts';
import { learn, learnPreview } from './learn.ts';

export { ask, learn, learnPreview, noteVersion } from './learn.ts';

/** A gadget whose viewer decides, and the page around it. */
interface Deciding {
  readonly session: Session;
  readonly sessions: Sessions;
  readonly client: ProxyClient;
  readonly clock: Clock;
  /** Broadcasts to the other tabs. */
  broadcast(message: TabMessage): void;
}

/** Stores a decision and applies it to all gadgets of the app in this browser. Never rejects. */
export async function decide(deciding: Deciding, decision: Decision): Promise<Reply<GrantsAnswer>> {
  const reply = await post<GrantsRequest, GrantsAnswer>(deciding, 'grants', decision);
  if ('error' in reply) return reply;
  const { session, sessions, broadcast } = deciding;
  const { app, viewer } = session.scope;
  const decided: Decided = { app, viewer, version: session.version, ...reply.ok };
  learn(sessions, decided);
  broadcast({ decided });
  return reply;
}

/** Stores a decision about a preview, as `decide`. */
export async function decidePreview(deciding: Deciding, accept: boolean): Promise<Reply> {
  const { session, sessions, broadcast } = deciding;
  const credentials = await session.credentials();
  // With a new token, which names what is offered now: the page can have heard of it since.
  if ('ok' in credentials) await session.credentials(credentials.ok.token);
  const reply = await post<PreviewRequest, unknown>(deciding, 'previews', { accept });
  if ('error' in reply) return reply;
  const { app, viewer } = session.scope;
  learnPreview(sessions, { app, accept });
  broadcast({ viewer, preview: { app, accept } });
  return reply;
}

async function post<Body extends { readonly token: string }, Answer>(
  { session, sessions, client, clock }: Deciding,
  path: string,
  decision: Omit<Body, 'token'>,
): Promise<Reply<Answer>> {
  const credentials = await session.credentials();
  if ('error' in credentials) return credentials;
  try {
    const body = { token: credentials.ok.token, ...decision };
    const response = await withinDeadline(clock, (signal) => client.post(path, body, signal));
    if (!('error' in response)) return { ok: await response.json() };
    if (response.error.data?.reason === 'APP_REPLACED') sessions.appReplaced(session); // the member was asked about an earlier registration of this id
    return response;
  } catch {
    return outOfReach;
  }
}
