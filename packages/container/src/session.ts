import { failure } from '@gantry/bridge';
import type { Clock, Instance, InstanceAnswer, InstanceRequest, Reply } from '@gantry/wire';
import { type Scope, scopeOf } from './scope.ts';

/** What a call must carry. Never leaves the container's own page (security rule 9). */
export interface Credentials {
  readonly instance: string;
  readonly token: string;
}

/** One gadget on this page. Its identity is this record's, never a message's (security rule 3). */
export interface Session {
  readonly scope: Scope;
  /** Since when it has to hear of changes. */
  readonly since: string | undefined;
  /** A token that still has some time; asks for a new one where it has not, or where `refused` is the present one. */
  credentials(refused?: string): Promise<Reply<Credentials>>;
}

/**
 * @param options.open Asks the proxy for the instance again.
 * @param options.onViewerChanged A renewed token turned out to speak for somebody else.
 * @param options.onReplaced Another app is registered under the id now. The frame still shows the one before, so it gets no token.
 */
export function createSession(options: {
  readonly request: InstanceRequest;
  readonly instance: Instance;
  readonly open: (request: InstanceRequest) => Promise<InstanceAnswer>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onViewerChanged: (noticedBy: Session) => void;
  readonly onReplaced: (noticedBy: Session) => void;
}): Session {
  const { request, open, clock, onViewerChanged, onReplaced } = options;
  const scope = scopeOf(options.instance);
  let instance = options.instance;
  let renewAtMs = renewalTime(instance);
  let renewal: Promise<Reply<Credentials>> | undefined;

  function renewalTime({ expiresIn }: Instance): number {
    return clock.now() + expiresIn * 900; // at nine tenths of its life: on the way it must not run out
  }

  async function renew(): Promise<Reply<Credentials>> {
    const answer = await open(request);
    if ('error' in answer) return answer;
    const { viewer, upstream } = scopeOf(answer.ok);
    if (viewer !== scope.viewer) {
      onViewerChanged(session);
      return viewerChanged;
    }
    if (upstream !== scope.upstream) {
      onReplaced(session);
      return appReplaced;
    }
    instance = answer.ok;
    renewAtMs = renewalTime(instance);
    return { ok: instance };
  }

  const session: Session = {
    scope,
    since: options.instance.since,
    async credentials(refused) {
      if (instance.token !== refused && clock.now() < renewAtMs) return { ok: instance };
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
  };
  return session;
}

export const appReplaced = failure('APP_REPLACED', 'Another app has this id now.');
export const viewerChanged = failure('UNAUTHORIZED', 'Another member is signed in now.');
