import { readFileSync } from 'node:fs';
import { manifestPath } from '@gantry/lab/host';
import { appDeclares, checkManifest, type Manifest } from '@gantry/proxy';
import type { PermissionName } from '@gantry/wire';
import { changeList } from './manifest-text.ts';
import type { ManifestPlan } from './plan-manifest.ts';

/** Text of a manifest before and after a fix, and the change of its permissions. */
export interface ManifestFix {
  readonly before: string;
  readonly after: string;
  /** Permissions that members will be asked for in addition. */
  readonly asks: readonly PermissionName[];
  /** Permissions that they will no longer be asked for. */
  readonly asksNoMore: readonly PermissionName[];
}

/**
 * Applies a plan to the text of a manifest. Writes nothing.
 *
 * @throws SocialError BAD_REQUEST if the result is invalid, for example with more than 50 hosts.
 */
export function fixManifest(folder: string, manifest: Manifest, plan: ManifestPlan): ManifestFix {
  const before = readFileSync(manifestPath(folder), 'utf8');
  let after = changeList(before, 'preload', { drop: plan.removePreloads });
  for (const list of ['uses', 'fields', 'hosts'] as const) {
    const drop = manifest[list].flatMap((name, index) => (plan.remove[list].includes(name) ? [index] : []));
    after = changeList(after, list, { add: plan.add[list], drop });
  }
  const changed = checkManifest(JSON.parse(after.replace(/^\uFEFF/, '')));
  const [old, fresh] = [appDeclares(manifest).required, appDeclares(changed).required];
  return {
    before,
    after,
    asks: fresh.filter((name) => !old.includes(name)),
    asksNoMore: old.filter((name) => !fresh.includes(name)),
  };
}
