import type { WriteReport } from '@gantry/bridge';
import { isRecord, isWriteId, type Reply, type ResourceRequest } from '@gantry/wire';
import type { Scope } from './scope.ts';

/** A write on its way, or lately ended. Plain data: it outlives the page, and other tabs read it. */
export interface Entry {
  /** Sorts by when it was written. */
  readonly key: string;
  readonly id: string;
  readonly scope: Scope;
  readonly request: ResourceRequest;
  /** Waits, rather than fails, when it comes too soon. */
  readonly queues: boolean;
  readonly addedAtMs: number;
  /** It may have reached the site. */
  readonly sent: boolean;
  /** There was no answer, or not yet a chance to send it. */
  readonly waits: boolean;
  /** When a post may be made. */
  readonly retryAtMs?: number;
  readonly done?: { readonly reply: Reply; readonly atMs: number };
}

export function isPost({ request }: Pick<Entry, 'request'>): boolean {
  return request.operation.startsWith('activit');
}

/** What the app hears of it. */
export function reportOf({ id, request, waits, retryAtMs, done }: Entry): WriteReport {
  const { operation } = request;
  if (done !== undefined) return { id, operation, state: 'done', reply: done.reply };
  if (!waits) return { id, operation, state: 'sending' };
  return { id, operation, state: 'waiting', ...(retryAtMs !== undefined && { retryAt: retryAtMs }) };
}

/** True for stored data of the shape that this version writes. */
export function isEntry(stored: unknown): stored is Entry {
  if (!isRecord(stored) || !isRecord(stored.scope) || !isRecord(stored.request)) return false;
  const { key, id, request, addedAtMs } = stored;
  const isWhole = typeof key === 'string' && isWriteId(id) && typeof addedAtMs === 'number';
  return isWhole && typeof request.operation === 'string' && isRecord(request.params);
}
