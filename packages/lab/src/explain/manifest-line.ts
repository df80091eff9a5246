import { isRecord } from '@gantry/wire';

/** Members of a `gadget.json` for explanations. It may be any JSON: check each when read. */
export interface ManifestFacts {
  readonly uses?: unknown;
  readonly fields?: unknown;
  readonly hosts?: unknown;
  readonly optional?: unknown;
  readonly storage?: unknown;
}

/** Lists of `gadget.json` to which a cure adds. */
export type ManifestList = 'uses' | 'fields' | 'hosts';

/** Returns a line of `gadget.json`: the items of its list, and `added`. */
export function manifestLine(
  manifest: ManifestFacts | undefined,
  list: ManifestList,
  added: readonly string[],
): string {
  const items = [...new Set([...textsOf(manifest?.[list]), ...added])];
  return `"${list}": [${items.map((item) => JSON.stringify(item)).join(', ')}]`;
}

/** Returns whether a list of `gadget.json`, or its `optional` list, has an item. */
export function declares(manifest: ManifestFacts | undefined, list: ManifestList, item: string): boolean {
  return textsOf(manifest?.[list]).includes(item) || isOptional(manifest, list, item);
}

export function isOptional(manifest: ManifestFacts | undefined, list: ManifestList, item: string): boolean {
  const { optional } = manifest ?? {};
  return isRecord(optional) && textsOf(optional[list]).includes(item);
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string').slice(0, 50) : [];
}
