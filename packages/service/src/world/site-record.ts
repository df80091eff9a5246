import type * as v from 'valibot';
import type { RecordKind, recordSchemas, siteSchema } from './schema.ts';

type Fields<K extends RecordKind> = v.InferInput<(typeof recordSchemas)[K]>;
type Pair = readonly [memberId: string, memberId: string];

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
  | ({ readonly kind: 'member' } & Fields<'members'>)
  | { readonly kind: 'member'; readonly id: string; readonly deleted: true }
  | { readonly kind: 'friendship' | 'block'; readonly members: Pair; readonly deleted?: true }
  | ({ readonly kind: 'app' } & Fields<'apps'>)
  | ({ readonly kind: 'install' } & Fields<'installs'>)
  | ({ readonly kind: 'consumer'; readonly consumerKind: Fields<'consumers'>['kind'] } & Omit<
      Fields<'consumers'>,
      'kind'
    >)
  | ({ readonly kind: 'activity' } & Fields<'activities'>)
  | ({ readonly kind: 'appData' } & Fields<'appData'>)
  | ({ readonly kind: 'album' } & Fields<'albums'>)
  | ({ readonly kind: 'mediaItem' } & Fields<'mediaItems'>);
