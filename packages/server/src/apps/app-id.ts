import { retiredPrefix } from '@gantry/service';
import { SocialError } from '@gantry/wire';

/** Output folders of builds. As ids they would collide for all apps that are built. */
const buildFolders: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'public']);

/** Returns whether a name is a build's output folder, which cannot be an app's id. */
export function isBuildFolder(name: string): boolean {
  return buildFolders.has(name.toLowerCase());
}

/**
 * Validates the id of an app.
 *
 * @param options.isUpdate An app that has the id from an earlier release keeps it.
 * @throws SocialError BAD_REQUEST.
 */
export function checkAppId(id: string, { isUpdate }: { readonly isUpdate: boolean }): void {
  if (isBuildFolder(id) && !isUpdate) {
    throw new SocialError(
      'BAD_REQUEST',
      `${id} is the name of a build folder and cannot be the id of an app. Choose another id.`,
    );
  }
  if (id.startsWith(retiredPrefix)) {
    throw new SocialError('BAD_REQUEST', `Ids that begin with ${retiredPrefix} are reserved for replaced apps.`);
  }
}
