import type { CallPermission, PermissionName } from './permissions.ts';

/** One sentence for each permission, for members. `{host}` stands for the host it is about. */
export type PermissionSentences = Readonly<Record<CallPermission | 'storage' | 'host' | 'server', string>>;

/**
 * Returns the sentence for one permission, or its name if this version does not know it.
 *
 * @example
 * sentenceFor('albums.write', en.sentences); // 'Change your photo albums'
 */
export function sentenceFor(name: PermissionName, sentences: PermissionSentences): string {
  const [, kind, host = ''] = /^(host|server):https?:\/\/(.*)$/.exec(name) ?? [];
  if (kind !== undefined) return sentences[kind as 'host' | 'server'].replaceAll('{host}', () => host);
  return Object.hasOwn(sentences, name) ? sentences[name as keyof PermissionSentences] : name;
}
