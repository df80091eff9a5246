import { hash } from 'node:crypto';
import type { PermissionName } from '@gantry/wire';
import { type Manifest, permissionsOf } from '../apps/manifest.ts';
import type { RegisteredApp } from '../apps/registrations.ts';

export interface Declared {
  /** The app does not start without all of these. */
  readonly required: readonly PermissionName[];
  /** Permissions that it may request while it runs. */
  readonly optional: readonly PermissionName[];
}

/** Returns the permissions that the manifest of a served app declares. */
export function appDeclares(manifest: Manifest): Declared {
  return declaredBy({ manifest, source: { kind: 'served', folder: '' } });
}

/**
 * Returns the permissions that an app declares. They include the hosts that it can talk to, since
 * what it reads may leave through them.
 */
export function declaredBy({ manifest, source }: Pick<RegisteredApp, 'manifest' | 'source'>): Declared {
  const places: readonly PermissionName[] =
    source.kind === 'remote'
      ? [`server:${new URL(source.url).origin}`]
      : manifest.hosts.map((host): PermissionName => `host:${host}`);
  const storage: readonly PermissionName[] = manifest.storage ? ['storage'] : [];
  const required = [...new Set([...permissionsOf(manifest), ...storage, ...places])];
  return { required, optional: permissionsOf(manifest.optional).filter((name) => !required.includes(name)) };
}

/** Returns a hash of the declared permissions, to store with the decision about them. */
export function declarationDigest(declared: Declared): string {
  const all = [declared.required.toSorted(), declared.optional.toSorted()];
  return hash('sha256', JSON.stringify(all), 'base64url').slice(0, 22);
}
