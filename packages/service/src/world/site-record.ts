import type * as v from 'valibot';
import type { Pair } from '../store/remove-member.ts';
import type { lists } from './line-record.ts';
import type { RecordKind, recordSchemas, siteSchema } from './schema.ts';

/** Record of a list of a world file (docs/world-file.md), as it is written. */
export type RecordInput<K extends RecordKind> = v.InferInput<(typeof recordSchemas)[K]>;
type PlainKind = Exclude<keyof typeof lists, 'friendship' | 'block' | 'consumer'>;

/**
 * Record of a stream (contract §9): its kind and the fields of `docs/world-file.md`.
 *
 * @example
 * const cy: SiteRecord = { kind: 'member', id: 'm-3', displayName: 'Cy' };
 * const friends: SiteRecord = { kind: 'friendship', members: ['m-1', 'm-3'] };
 * const leaver: SiteRecord = { kind: 'member', id: 'm-2', deleted: true };
 */
export type SiteRecord =
  | ({ readonly kind: 'site' } & v.InferInput<typeof siteSchema>)
  | { readonly kind: 'member'; readonly id: string; readonly deleted: true }
  | { readonly kind: 'friendship' | 'block'; readonly members: Pair; readonly deleted?: true }
  | ({ readonly kind: 'consumer'; readonly consumerKind: RecordInput<'consumers'>['kind'] } & Omit<
      RecordInput<'consumers'>,
      'kind'
    >)
  | { [K in PlainKind]: { readonly kind: K } & RecordInput<(typeof lists)[K]> }[PlainKind];
