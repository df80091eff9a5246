import { randomBytes } from 'node:crypto';
import type { KnownApp } from '@gantry/proxy';
import { appStatement, consumerExists, endAppKeys, newConsumer, retireApp, retiredPrefix } from '@gantry/service';
import type { Statement } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Stores } from '../data/stores.ts';

/** The key that signs an app's requests, and the service's statements of its registration. */
export interface KeyPlan {
  /** Empty if the app keeps the key that it has. */
  readonly consumer: { readonly consumerKey?: string; readonly consumerSecret?: string };
  readonly statements: readonly Statement[];
}

interface KeyFor {
  readonly id: string;
  readonly url?: string;
  /** Key that an existing site issued. */
  readonly consumer?: { readonly key: string; readonly secret: string } | undefined;
  readonly now: () => number;
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
}

/**
 * Plans the key of an app. A whole site issues one, unless the same app has one; behind
 * `gantry proxy` the existing site has issued it.
 *
 * @param to.same The app that is updated.
 * @param to.ends Another app has the id and ends in the same transaction.
 * @throws SocialError BAD_REQUEST if neither the app nor its registration has a key.
 */
export async function planKey(
  { db, secretKey }: Stores,
  { id, url = '', consumer, now, random = randomBytes }: KeyFor,
  to: { readonly title: string; readonly same: KnownApp | undefined; readonly ends: boolean; readonly isSite: boolean },
): Promise<KeyPlan> {
  if (consumer) return { consumer: { consumerKey: consumer.key, consumerSecret: consumer.secret }, statements: [] };
  const { title, same, ends, isSite } = to;
  const kept = same?.removedAtMs === undefined ? same?.consumerKey : undefined;
  if (!isSite) {
    if (kept !== undefined) return { consumer: {}, statements: [] };
    const message = 'Behind gantry proxy the site issues the keys of apps: pass the key with --key.';
    throw new SocialError('BAD_REQUEST', message);
  }
  const hasKey = kept !== undefined && (await consumerExists(db, kept)); // it can be revoked by hand
  const issued = hasKey ? undefined : newConsumer({ secretKey, now, random, kind: 'app', appId: id, container: true });
  const retiredId = `${retiredPrefix}${randomBytes(12).toString('base64url')}`;
  return {
    consumer: issued ? { consumerKey: issued.key, consumerSecret: issued.secret } : {},
    statements: [
      ...(ends ? retireApp({ id, retiredId }) : []),
      appStatement({ id, title, url }),
      ...(issued ? [issued.statement, endAppKeys(id, { containerBut: issued.key })] : []),
    ],
  };
}
