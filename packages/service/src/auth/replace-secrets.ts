import { type Statement, seal, sql } from '@gantry/store';
import { endMemberKeys } from './member-keys.ts';
import { sealContext } from './verify-request.ts';

/** Key that was revoked, whose owner has to get a new one. */
export interface RevokedKey {
  readonly key: string;
  readonly kind: string;
  /** App or member that it belonged to; null for the site's own. */
  readonly of: string | null;
}

/** Replaces the secret of a key of the site's own proxy. */
export function replaceConsumerSecret(key: string, secret: string, secretKey: Uint8Array): Statement {
  const sealed = seal(secretKey, secret, sealContext.consumer(key));
  return sql`update consumer set sealed_secret = ${sealed} where key = ${key} and container = 1`;
}

/**
 * Returns the statements that end what a reader of database and keys could use: tokens, sessions,
 * and keys with a secret that others have. Keys of RSA have none and stay.
 *
 * @returns `revoked` yields the keys. They run first.
 */
export function endSealedSecrets(): {
  readonly revoked: readonly Statement[];
  readonly statements: readonly Statement[];
} {
  return {
    revoked: [
      sql`
        delete from consumer where container = 0 and public_key is null
        returning key, kind, coalesce(app_id, member_id) as of`,
      endMemberKeys,
    ],
    statements: [sql`delete from request_token`, sql`delete from access_token`, sql`delete from member_session`],
  };
}
