import { introduceMember } from '@gantry/service';
import { type Database, StoreError } from '@gantry/store';
import type { JWTPayload } from 'jose';

export interface IntroductionsOptions {
  readonly db: Database;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Gets a line that says why an introduction was not taken, at most once a minute. */
  readonly log?: { warn(fields: { readonly reason: string }, line: string): void } | undefined;
}

/** Time in which a repeated introduction costs nothing. After that, one read shows whether the member is still known. */
const freshMs = 60_000;
const mostRemembered = 10_000;
const quietMs = 60_000;
const skewS = 10;

/**
 * Makes the function that makes a member known by the claims `name` and `picture` of a token that says who is signed in.
 * Claims that cannot be taken, and a database that cannot be written, leave the member as they are.
 *
 * @see docs/decisions/0038-members-by-token.md
 */
export function createIntroductions({ db, now = Date.now, log }: IntroductionsOptions) {
  const heard = new Map<string, { readonly claims: string; readonly untilMs: number }>();
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  function refuse(reason: string): void {
    if (now() < quietUntilMs) return;
    quietUntilMs = now() + quietMs;
    log?.warn({ reason: 'introduction' }, `A viewer token names its member, but its claims were not taken: ${reason}.`);
  }

  /** @param payload Verified claims, with a `sub` that is an id. Without `name` they introduce no one. */
  return async function introduce({ sub = '', name, picture, iat }: JWTPayload): Promise<void> {
    if (name === undefined) return;
    if (typeof name !== 'string') return refuse('name must be text');
    if (picture != null && typeof picture !== 'string') return refuse('picture must be text');
    if (typeof iat !== 'number' || !Number.isSafeInteger(iat)) return refuse('name needs iat, in whole seconds');
    if (iat > now() / 1000 + skewS) return refuse('iat is in the future');
    const claims = JSON.stringify([name, picture ?? undefined]);
    const known = heard.get(sub);
    if (known?.claims === claims && known.untilMs > now()) return;
    try {
      const problem = await introduceMember(db, {
        id: sub,
        displayName: name,
        thumbnailUrl: picture ?? undefined,
        saidAtS: iat,
      });
      if (problem !== undefined) return refuse(problem);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return refuse(`the database does not take them (${error.reason})`); // who is signed in is known without it
    }
    if (heard.size >= mostRemembered) heard.clear();
    heard.set(sub, { claims, untilMs: now() + freshMs });
  };
}
