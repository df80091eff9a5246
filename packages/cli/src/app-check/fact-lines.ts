import { appFacts, type Manifest } from '@gantry/proxy';
import { isolatedName } from '@gantry/wire';

/** Returns headings and texts of what a manifest says about its app, for people. */
export function factsOf(manifest: Manifest): readonly (readonly [heading: string, text: string])[] {
  const { version, description, icon, author, categories, website, support, privacy, changelog } = manifest;
  const names = languagesOf(manifest).map((tag) => `${tag} (${appFacts(manifest, tag).name})`);
  const { name = '', email, url } = author ?? {};
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Version', version],
    ['Description', description],
    ['Icon', icon],
    ['Author', author && [name, email, url].filter(Boolean).join(', ')],
    ['Categories', categories?.join(', ')],
    ...([
      ['Website', website],
      ['Support', support],
      ['Privacy', privacy],
      ['Changelog', changelog],
    ] as const),
    ['Data', manifest.data === 0 ? undefined : String(manifest.data)],
    ['Languages', names.join(', ')],
  ];
  return facts.flatMap(([heading, text]) => (text ? [[heading, isolatedName(text)] as const] : []));
}

/** Returns the language tags for which a manifest has texts. */
export function languagesOf({ languages = {} }: Manifest): readonly string[] {
  return Object.keys(languages);
}
