import type { RegisteredApp } from '@gantry/proxy';
import { isLocalHost } from '@gantry/wire/runtime';

/** Returns a warning for each app of a public site whose folder members get as it is. */
export function liveFolderWarnings(
  apps: readonly Pick<RegisteredApp, 'id' | 'source'>[],
  site: string,
): readonly string[] {
  if (isLocalHost(new URL(site).hostname)) return [];
  return apps.flatMap(({ id, source }) =>
    source.kind === 'served'
      ? `Warning: ${id} is served live from ${source.folder}: half-saved files count, and there is no way back. Store a version: gantry app add ${source.folder} --id ${id} --update`
      : [],
  );
}
