import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appDeclares, checkManifest, type Manifest } from '@gantry/proxy';
import type { PermissionName } from '@gantry/wire';
import { changeList } from './manifest-text.ts';
import type { ManifestPlan } from './plan-manifest.ts';

/** A manifest before and after, and what that means for members. */
export interface ManifestFix {
  readonly before: string;
  readonly after: string;
  /** Permissions that members will be asked for and were not before. */
  readonly asks: readonly PermissionName[];
  /** Permissions that they will not be asked for any more. */
  readonly asksNoMore: readonly PermissionName[];
}

/**
 * Makes the text of a manifest as a plan says. Nothing is written.
 *
 * @throws SocialError BAD_REQUEST where the changed manifest would not be valid, for example with more than 50 hosts.
 */
export function fixManifest(folder: string, manifest: Manifest, plan: ManifestPlan): ManifestFix {
  const before = readFileSync(join(folder, 'gadget.json'), 'utf8');
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
