import { introduceMember, type StorageOptions } from '@gantry/service';
import { type Database, StoreError } from '@gantry/store';
import type { Logger } from '@gantry/wire/runtime';
import type { JWTPayload } from 'jose';

export interface MemberClaimsOptions extends Pick<StorageOptions, 'alsoRemove'> {
  readonly db: Database;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Receives the reason for which claims were not saved, at most once a minute. */
  readonly log?: Pick<Logger, 'warn'> | undefined;
}

/** Time in which repeated claims cost nothing; then one read checks that the member exists. */
const freshMs = 60_000;
const mostRemembered = 10_000;
const quietMs = 60_000;
const skewS = 10;

/**
 * Makes the function that saves a member from the claims `name` and `picture` of a viewer token.
 * Invalid claims, and a database that cannot be written, leave the member unchanged.
 *
 * @see docs/decisions/0038-members-by-token.md
 */
export function createMemberClaims({ db, now = Date.now, log, alsoRemove }: MemberClaimsOptions) {
  const saved = new Map<string, { readonly claims: string; readonly untilMs: number }>();
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  function refuse(reason: string): void {
    if (now() < quietUntilMs) return;
    quietUntilMs = now() + quietMs;
    log?.warn(
      { reason: 'introduction' },
      `A viewer token names its member, but its name and picture were not saved: ${reason}.`,
    );
  }

  /** @param payload Verified claims, with a valid id as `sub`. Without `name` nothing is saved. */
  return async function saveMember({ sub = '', name, picture, iat }: JWTPayload): Promise<void> {
    if (name === undefined) return;
    if (typeof name !== 'string') return refuse('name must be text');
    if (picture != null && typeof picture !== 'string') return refuse('picture must be text');
    if (typeof iat !== 'number' || !Number.isSafeInteger(iat)) return refuse('name needs iat, in whole seconds');
    if (iat > now() / 1000 + skewS) return refuse('iat is in the future');
    const claims = JSON.stringify([name, picture ?? undefined]);
    const last = saved.get(sub);
    if (last?.claims === claims && last.untilMs > now()) return;
    try {
      const introduction = { id: sub, displayName: name, thumbnailUrl: picture ?? undefined, saidAtS: iat };
      const problem = await introduceMember(db, introduction, { alsoRemove });
      if (problem !== undefined) return refuse(problem);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return refuse(`the database cannot be written (${error.reason})`); // sign-in works without it
    }
    if (saved.size >= mostRemembered) saved.clear();
    saved.set(sub, { claims, untilMs: now() + freshMs });
  };
}
