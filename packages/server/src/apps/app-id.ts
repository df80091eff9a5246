import { retiredPrefix } from '@gantry/service';
import { SocialError } from '@gantry/wire';

/** Folders that builds write into. As ids, they would be those of every app that is built so. */
const buildFolders: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'public']);

/** Tells whether a name is that of a folder of builds, which names no app. */
export function isBuildFolder(name: string): boolean {
  return buildFolders.has(name.toLowerCase());
}

/**
 * Refuses ids that name no app.
 *
 * @param options.isUpdate An app has the id already, from before it was refused.
 * @throws SocialError BAD_REQUEST.
 */
export function checkAppId(id: string, { isUpdate }: { readonly isUpdate: boolean }): void {
  if (isBuildFolder(id) && !isUpdate) {
    throw new SocialError('BAD_REQUEST', `${id} is the name of a folder of builds, not of an app. Give it another id.`);
  }
  if (id.startsWith(retiredPrefix)) {
    throw new SocialError('BAD_REQUEST', `Ids that begin with ${retiredPrefix} are those of apps that were replaced.`);
  }
}
