import { failure } from '@gantry/bridge';
import type { Clock, GrantsAnswer, GrantsRequest, InstanceAnswer, InstanceRequest, Reply } from '@gantry/wire';
import { within } from '../deadline.ts';
import type { Mounted } from '../gadget.ts';
import type { ProxyClient } from '../proxy-client.ts';
import type { Session } from '../session.ts';
import type { TabMessage } from '../tabs.ts';

/** How things stand with an app after its viewer decided. */
export interface Decided extends GrantsAnswer {
  readonly app: string;
  readonly viewer: string | null;
}

/** What a member allows an app from now on, and what not any more. */
export type Decision = Omit<GrantsRequest, 'token'>;

const deadlineMs = 20_000;

/** Keeps a decision about the app of `session`, and lets every gadget of it in this browser know. Never rejects. */
export async function decide(
  {
    session,
    client,
    clock,
    tell,
    mounted,
    remount,
  }: {
    readonly session: Session;
    readonly client: ProxyClient;
    readonly clock: Clock;
    readonly mounted: Map<Session, Mounted>;
    /** Tells the other tabs. */
    tell(message: TabMessage): void;
    readonly remount: (noticedBy: Session) => void;
  },
  decision: Decision,
): Promise<Reply<GrantsAnswer>> {
  const credentials = await session.credentials();
  if ('error' in credentials) return credentials;
  try {
    const body: GrantsRequest = { token: credentials.ok.token, ...decision };
    const response = await within({ clock, ms: deadlineMs }, (signal) => client.post('grants', body, signal));
    if ('error' in response) {
      if (response.error.data?.reason === 'APP_REPLACED') remount(session); // the card was another app's
      return response;
    }
    const answer: GrantsAnswer = await response.json();
    const { app, viewer } = session.scope;
    const decided: Decided = { app, viewer, ...answer };
    learn(mounted, decided);
    tell({ decided });
    return { ok: answer };
  } catch {
    return failure('UNAVAILABLE', 'The site cannot be reached. The device may be offline.');
  }
}

/** Asks how things stand with an app, or all of the page's, since its viewer decided somewhere else. One question for each app. */
export async function ask(
  {
    mounted,
    open,
    remount,
  }: {
    readonly mounted: Map<Session, Mounted>;
    readonly remount: (noticedBy: Session) => void;
    open(request: InstanceRequest): Promise<InstanceAnswer>;
  },
  app?: string,
): Promise<void> {
  const apps = new Set(
    [...mounted.keys()].map(({ scope }) => scope.app).filter((one) => app === undefined || one === app),
  );
  await Promise.all(
    [...apps].map(async (app) => {
      const answer = await open({ app });
      const isPaused = 'error' in answer && answer.error.data?.reason === 'APP_PAUSED';
      for (const session of [...mounted.keys()]) {
        if (session.scope.app !== app) continue;
        // Mounted anew, it shows the card of a paused app, or asks for the new one.
        if (isPaused || ('ok' in answer && answer.ok.upstream !== session.scope.upstream)) remount(session);
      }
      if ('error' in answer) return; // its next call tells
      const { context, consent } = answer.ok;
      learn(mounted, { app, viewer: context.viewer ?? null, granted: context.permissions, ...consent });
    }),
  );
}

/**
 * Takes notice of a decision. A gadget that gained something optional goes on and is told; one that lost something, or may
 * start only now, is mounted anew: what it learned goes with its document.
 */
export function learn(mounted: Map<Session, Mounted>, { app, viewer, granted, needed, optional }: Decided): void {
  for (const [session, { gadget, onReplace }] of [...mounted]) {
    if (session.scope.app !== app || session.scope.viewer !== viewer) continue;
    const { permissions } = gadget.context;
    const isLess = permissions.some((name) => !granted.includes(name));
    if (isLess || gadget.consent.needed.length > 0) {
      mounted.delete(session);
      onReplace(true);
    } else {
      gadget.context = { ...gadget.context, permissions: granted };
      gadget.consent = { needed, optional };
      gadget.onGranted?.();
    }
  }
}
