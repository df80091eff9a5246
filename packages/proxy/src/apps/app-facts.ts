import type { Manifest } from './manifest.ts';

/**
 * Returns an app's name and description in a reader's language: each of the whole tag, else of its
 * beginning (`pt` for `pt-BR`), else of the manifest. Less wanted languages do not count, since a
 * manifest does not say which language its own texts have.
 *
 * @param wanted BCP 47 tags, the most wanted first, or an `Accept-Language` value.
 */
export function appFacts(
  { name, description, languages = {} }: Pick<Manifest, 'name' | 'description' | 'languages'>,
  wanted: readonly string[] | string,
): Pick<Manifest, 'name' | 'description'> {
  const [first = ''] = typeof wanted === 'string' ? wanted.split(/[,;]/, 1) : wanted;
  const byTag = new Map(Object.entries(languages).map(([tag, texts]) => [tag.toLowerCase(), texts]));
  const subtags = first.trim().toLowerCase().split('-', 8);
  const texts = subtags.map((_, index) => byTag.get(subtags.slice(0, index + 1).join('-')));
  return Object.assign({ name, description }, ...texts);
}
