import { SocialError } from '@gantry/wire';
import type { KnownApp } from './known-app.ts';
import type { AppRegistration } from './register-app.ts';

/**
 * The relation of an app to the one that its id stands for already: `new` says that there is none, `update` that it is
 * the same app, `replace` that it is another one (security rule 29).
 */
export type AddMode = 'new' | 'update' | 'replace';

/**
 * Refuses an app that is not what it is said to be. Folders are not compared: an app moves. A remote app is known by its
 * origin.
 *
 * @throws SocialError CONFLICT for a taken id, BAD_REQUEST for an update by another app and for a key that is not new.
 */
export function checkMode(app: AppRegistration, known: KnownApp, mode: AddMode): void {
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
        `The key ${consumerKey} is that of the app that is replaced: with it the new app would get what that one stored. It needs a key of its own.`,
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
  return new SocialError('BAD_REQUEST', `${was}. What comes from elsewhere is another app (--replace), not an update.`);
}
