import type { Instance, InstanceRequest } from '@gantry/wire';
import type { Session } from '../calls/session.ts';
import type { Sessions } from '../calls/sessions.ts';
import type { Decided, DecidedPreview } from '../gadget.ts';

/**
 * Fetches grants and versions of one or all apps of the page, after its viewer decided elsewhere or
 * the site changed an app.
 */
export async function ask(sessions: Sessions, app?: string): Promise<void> {
  const requests = new Map<string, InstanceRequest>();
  for (const session of sessions.list()) {
    const { scope, version } = session;
    if (app === undefined || scope.app === app)
      requests.set(nameOf(session), { app: scope.app, ...(version && { version }) });
  }
  await Promise.all(
    [...requests].map(async ([name, request]) => {
      const answer = await sessions.open(request);
      const here = sessions.list().filter((session) => nameOf(session) === name);
      const isPaused = 'error' in answer && answer.error.data?.reason === 'APP_PAUSED';
      for (const session of here) {
        // Mounted anew, it shows that the app is paused, or asks consent for the new registration.
        if (isPaused || ('ok' in answer && answer.ok.upstream !== session.scope.upstream)) {
          sessions.appReplaced(session);
        }
      }
      if ('error' in answer) return; // its next call reports the error
      const { uses, context, consent } = answer.ok;
      for (const session of here) {
        const { app, viewer = null, permissions: granted } = context;
        apply(sessions, session, { viewer, granted, ...consent, uses, title: app.title });
        noteVersion(sessions, session, answer.ok);
      }
    }),
  );
}

function nameOf({ scope, version }: Session): string {
  return JSON.stringify([scope.app, version]);
}

/**
 * Applies a decision to the gadgets of the page; those of another version ask for their own part of
 * it.
 */
export function learn(sessions: Sessions, { app, version, ...decided }: Decided): void {
  sessions.outdate(app);
  const all = sessions.list().filter(({ scope }) => scope.app === app);
  if (all.some((session) => session.version !== version)) void ask(sessions, app);
  for (const session of all) if (session.version === version) apply(sessions, session, decided);
}

/**
 * Applies a decision to a gadget. One that gained an optional permission goes on and gets an event;
 * one that lost a call or permission is remounted, since its document may hold data that it may no
 * longer have. One that asks stays as it is, under the finger of its member, unless it would ask
 * something else.
 *
 * @param decided.uses Calls that its manifest lists now. Default: unchanged.
 * @param decided.title Its title now. Default: unchanged.
 */
function apply(
  sessions: Sessions,
  session: Session,
  decided: Omit<Decided, 'app' | 'version'> & { readonly uses?: readonly string[]; readonly title?: string },
): void {
  const gadget = sessions.get(session)?.gadget;
  if (!gadget) return;
  const { rights } = session;
  const { app } = gadget.context;
  const { viewer, granted, needed, optional, uses = rights.uses, title = app.title } = decided;
  if (session.scope.viewer !== viewer) return;
  const isLess =
    rights.permissions.some((name) => !granted.includes(name)) || rights.uses.some((name) => !uses.includes(name));
  const asked = gadget.consent.needed;
  const asksOther = asked.length > 0 && (title !== app.title || !isSame(asked, needed));
  if (isLess || asksOther) {
    sessions.remove(session)?.replace('decided');
  } else {
    session.rights = { uses, permissions: granted };
    gadget.context = { ...gadget.context, permissions: granted };
    gadget.consent = { needed, optional };
    gadget.onGranted?.();
  }
}

function isSame(before: readonly string[], now: readonly string[]): boolean {
  return before.length === now.length && before.every((name) => now.includes(name));
}

/**
 * Notes which version the site has for a gadget. Another one waits for a quiet moment of an app
 * that runs; any other gadget loads it at once.
 */
export function noteVersion(sessions: Sessions, session: Session, { version, live, preview }: Instance): void {
  const gadget = sessions.get(session)?.gadget;
  if (!gadget) return;
  const isOther = version !== session.version; // its own is gone from the site
  if (!isOther) gadget.preview = preview;
  const isOutdated = isOther || (live !== undefined && preview !== 'shown');
  gadget.outdatedAtMs = isOutdated ? (gadget.outdatedAtMs ?? gadget.clock.elapsed()) : undefined;
  if (gadget.onVersion) gadget.onVersion();
  else if (isOutdated && !gadget.go) void gadget.loadAnew();
}

/**
 * Loads the gadgets of an app anew whose preview begins or ends, and takes the question from the
 * others.
 */
export function learnPreview(sessions: Sessions, { app, accept }: DecidedPreview): void {
  for (const session of sessions.list()) {
    const gadget = session.scope.app === app && sessions.get(session)?.gadget;
    if (!gadget) continue;
    if (accept || gadget.preview === 'shown') void gadget.loadAnew();
    else {
      gadget.preview = undefined;
      gadget.onVersion?.();
    }
  }
}
