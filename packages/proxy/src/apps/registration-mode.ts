import { SocialError } from '@gantry/wire';
import type { KnownApp } from './known-app.ts';

/**
 * The relation of a registration to the id's earlier app (security rule 29): `new` expects none,
 * `update` the same app, `replace` another one.
 */
export type RegistrationMode = 'new' | 'update' | 'replace';

/**
 * Refuses a registration that contradicts its mode. Folders may change; a remote app is identified
 * by its origin.
 *
 * @throws SocialError CONFLICT for a taken id, BAD_REQUEST for an update by another app or a
 * replacement with the old key.
 */
export function checkRegistrationMode(
  app: { readonly url?: string; readonly consumerKey?: string | undefined },
  known: KnownApp,
  mode: RegistrationMode,
): void {
  const { id, name, source, removedAtMs, consumerKey } = known;
  switch (mode) {
    case 'new': {
      const has = removedAtMs === undefined ? 'is' : 'was';
      throw new SocialError('CONFLICT', `${id} ${has} the id of ${name}. Say whether this is the same app or another.`);
    }
    case 'replace':
      if (app.consumerKey !== consumerKey) return;
      throw new SocialError(
        'BAD_REQUEST',
        `The key ${consumerKey} belongs to the replaced app: with it the new app would read its data. It needs a key of its own.`,
      );
    case 'update':
      if ((source.kind === 'served') !== (app.url === undefined)) {
        throw notTheSame(`${id} came from ${source.kind === 'served' ? 'a folder' : 'a server of its own'}`);
      }
      if (source.kind === 'remote' && new URL(source.url).origin !== new URL(app.url as string).origin) {
        throw notTheSame(`${id} came from ${new URL(source.url).origin}`);
      }
  }
}

function notTheSame(was: string): SocialError {
  return new SocialError('BAD_REQUEST', `${was}. An app from elsewhere is another app (--replace), not an update.`);
}
