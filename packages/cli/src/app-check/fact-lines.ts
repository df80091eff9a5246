import { appFacts, type Manifest } from '@gantry/proxy';

/** Returns a line for each of version, icon and languages that a manifest names. */
export function factLines(manifest: Manifest): readonly string[] {
  const { version, icon } = manifest;
  const names = languagesOf(manifest).map((tag) => `${tag} (${appFacts(manifest, tag).name})`);
  return [
    ...(version ? [`Version: ${version}`] : []),
    ...(icon ? [`Icon: ${icon}`] : []),
    ...(names.length > 0 ? [`Languages: ${names.join(', ')}`] : []),
  ];
}

/** Returns the language tags for which a manifest has texts. */
export function languagesOf({ languages = {} }: Manifest): readonly string[] {
  return Object.keys(languages);
}
