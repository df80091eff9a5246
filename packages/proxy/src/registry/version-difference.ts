import { type PermissionName, sentenceFor } from '@gantry/wire';
import { en } from '@gantry/wire/texts';
import { appDeclares } from '../access/declared.ts';
import type { Manifest } from '../apps/manifest.ts';

/** A permission in the words that members read. */
export interface SaidPermission {
  readonly name: PermissionName;
  readonly says: string;
  /** The app does not start without it. */
  readonly required: boolean;
}

/** Differences of a version to the live one, or to nothing. */
export interface VersionDifference {
  /** Digest of the live version. Null: there is none, or the app is served from a folder. */
  readonly from: string | null;
  readonly permissions: {
    readonly added: readonly SaidPermission[];
    readonly removed: readonly SaidPermission[];
  };
  /** Hosts that the app's page may load from and send to. */
  readonly hosts: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Changed `data` of the manifest: from when on older versions cannot read what is written. */
  readonly data: { readonly from: number; readonly to: number };
  /** True if `data` becomes less: the version may not read what the live one has written. */
  readonly losesData: boolean;
}

/**
 * Compares the manifest of a version with that of the live one. A permission that was optional and
 * becomes required, or the reverse, is added and removed.
 */
export function versionDifference(
  manifest: Manifest,
  live: { readonly version: string | null; readonly manifest: Manifest } | undefined,
): VersionDifference {
  const [now, before] = [manifest, live?.manifest].map((one) => (one ? permissionsIn(one) : []));
  const [hosts, hostsBefore] = [manifest.hosts, live?.manifest.hosts ?? []];
  const data = { from: live?.manifest.data ?? 0, to: manifest.data };
  return {
    from: live?.version ?? null,
    permissions: { added: without(now, before), removed: without(before, now) },
    hosts: {
      added: hosts.filter((host) => !hostsBefore.includes(host)),
      removed: hostsBefore.filter((host) => !hosts.includes(host)),
    },
    data,
    losesData: live !== undefined && data.to < data.from,
  };
}

function permissionsIn(manifest: Manifest): readonly SaidPermission[] {
  const { required, optional } = appDeclares(manifest);
  const said = (names: readonly PermissionName[], isRequired: boolean) =>
    names
      .filter((name) => !name.startsWith('host:'))
      .map((name) => ({ name, says: sentenceFor(name, en.sentences), required: isRequired }));
  return [...said(required, true), ...said(optional, false)];
}

function without(
  all: readonly SaidPermission[] = [],
  others: readonly SaidPermission[] = [],
): readonly SaidPermission[] {
  return all.filter(({ name, required }) => !others.some((one) => one.name === name && one.required === required));
}
