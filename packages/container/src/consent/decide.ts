import type { GrantsAnswer, GrantsRequest, Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { withinDeadline } from '../calls/deadline.ts';
import { outOfReach } from '../calls/failures.ts';
import type { ProxyClient } from '../calls/proxy-client.ts';
import type { Session } from '../calls/session.ts';
import type { Sessions } from '../calls/sessions.ts';
import type { Decided, Decision } from '../gadget.ts';
import type { TabMessage } from '../results/tabs.ts';

/** Stores a decision and applies it to all gadgets of the app in this browser. Never rejects. */
export async function decide(
  parts: {
    readonly session: Session;
    readonly sessions: Sessions;
    readonly client: ProxyClient;
    readonly clock: Clock;
    /** Broadcasts to the other tabs. */
    broadcast(message: TabMessage): void;
  },
  decision: Decision,
): Promise<Reply<GrantsAnswer>> {
  const { session, sessions, client, clock, broadcast } = parts;
  const credentials = await session.credentials();
  if ('error' in credentials) return credentials;
  try {
    const body: GrantsRequest = { token: credentials.ok.token, ...decision };
    const response = await withinDeadline(clock, (signal) => client.post('grants', body, signal));
    if ('error' in response) {
      if (response.error.data?.reason === 'APP_REPLACED') sessions.appReplaced(session); // the card asked for an earlier registration of this id
      return response;
    }
    const answer: GrantsAnswer = await response.json();
    const { app, viewer } = session.scope;
    const decided: Decided = { app, viewer, ...answer };
    learn(sessions, decided);
    broadcast({ decided });
    return { ok: answer };
  } catch {
    return outOfReach;
  }
}

/** Fetches the grants of one or all apps of the page, after its viewer decided elsewhere. */
export async function ask(sessions: Sessions, app?: string): Promise<void> {
  const all = sessions.list().map(({ scope }) => scope.app);
  const apps = new Set(all.filter((one) => app === undefined || one === app));
  await Promise.all(
    [...apps].map(async (app) => {
      const answer = await sessions.open({ app });
      const isPaused = 'error' in answer && answer.error.data?.reason === 'APP_PAUSED';
      for (const session of sessions.list()) {
        if (session.scope.app !== app) continue;
        // Mounted anew, it shows that the app is paused, or asks consent for the new registration.
        if (isPaused || ('ok' in answer && answer.ok.upstream !== session.scope.upstream)) {
          sessions.appReplaced(session);
        }
      }
      if ('error' in answer) return; // its next call reports the error
      const { uses, context, consent } = answer.ok;
      learn(sessions, { app, viewer: context.viewer ?? null, granted: context.permissions, ...consent, uses });
    }),
  );
}

/**
 * Applies a decision to the gadgets of the page. A gadget that gained an optional permission goes
 * on and gets an event; one that lost a call or permission, or may start only now, is remounted,
 * since its document may hold data that it may no longer have.
 *
 * @param decided.uses Calls that its manifest lists now. Default: unchanged.
 */
export function learn(
  sessions: Sessions,
  { app, viewer, granted, needed, optional, uses }: Decided & { readonly uses?: readonly string[] },
): void {
  for (const session of sessions.list()) {
    const gadget = sessions.get(session)?.gadget;
    if (!gadget || session.scope.app !== app || session.scope.viewer !== viewer) continue;
    const { rights } = session;
    const isLess =
      rights.permissions.some((name) => !granted.includes(name)) ||
      rights.uses.some((name) => !(uses ?? rights.uses).includes(name));
    if (isLess || gadget.consent.needed.length > 0) {
      sessions.remove(session)?.replace(true);
    } else {
      session.rights = { uses: uses ?? rights.uses, permissions: granted };
      gadget.context = { ...gadget.context, permissions: granted };
      gadget.consent = { needed, optional };
      gadget.onGranted?.();
    }
  }
}
