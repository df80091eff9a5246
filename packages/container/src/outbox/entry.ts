import type { WriteReport } from '@gantry/bridge';
import {
  callRows,
  isRecord,
  isWriteId,
  type Operation,
  operation,
  type Reply,
  type ResourceRequest,
} from '@gantry/wire';
import type { Scope } from '../calls/scope.ts';

/** A write that is open, or lately ended. Plain data, which outlives the page. */
export interface Entry {
  /** Sorts by the time of the write. */
  readonly key: string;
  readonly id: string;
  readonly scope: Scope;
  readonly request: ResourceRequest;
  /** Waits, rather than fails, when it comes too soon. */
  readonly queues: boolean;
  readonly addedAtMs: number;
  /** It may have reached the site. */
  readonly sent: boolean;
  /** There was no response, or no chance to send it yet. */
  readonly waits: boolean;
  /** Time at which a post may be made, and that at which the site said so. */
  readonly retryAtMs?: number;
  readonly heldAtMs?: number;
  readonly done?: { readonly reply: Reply; readonly atMs: number };
}

/** Writes of this browser, in memory and, where possible, beyond the page. */
export interface EntryStore {
  get(key: string): Entry | undefined;
  all(): readonly Entry[];
  /** Returns writes by `orderingKeyOf`, oldest first; the same list until one of them changes. */
  inOrder(orderingKey: string): readonly Entry[];
  /** Counts the characters of an entry's request as JSON. */
  charactersOf(entry: Entry): number;
  /** Takes over an entry that another tab stored. */
  mirror(entry: Entry): void;
  /** Resolves when it is stored, or cannot be, within a second. */
  keep(entry: Entry): Promise<void>;
  /** False for an open write that ends with the page, because the browser did not store it. */
  isKept(entry: Entry): boolean;
  /** Tries again to store those that are not. */
  keepUnkept(): Promise<void>;
  forget(entry: Entry): void;
  /** Takes over the stored writes of earlier pages, once, and returns them. Rejects if it fails. */
  read(): Promise<readonly Entry[]>;
  /** Resolves when the storage is empty, or fails. */
  emptied(): Promise<void>;
  /** Reads an entry from the storage, where another tab may have changed it. */
  stored(key: string): Promise<Entry | undefined>;
}

/** Returns true for a write that a repeat would do twice. */
export function isDoneTwice({ request }: Pick<Entry, 'request'>): boolean {
  return rowsOf(request).some(({ isIdempotent }) => isIdempotent === false);
}

/** Returns true for a write that the site refuses within its posting interval. */
export function hasInterval({ request }: Pick<Entry, 'request'>): boolean {
  return rowsOf(request).some((row) => row.hasInterval);
}

function rowsOf({ operation: call }: ResourceRequest): readonly Operation[] {
  return (callRows.get(call) ?? []).map(operation);
}

export function reportOf({ id, request, waits, retryAtMs, done }: Entry): WriteReport {
  const { operation } = request;
  if (done !== undefined) return { id, operation, state: 'done', reply: done.reply };
  if (!waits) return { id, operation, state: 'sending' };
  return { id, operation, state: 'waiting', ...(retryAtMs !== undefined && { retryAt: retryAtMs }) };
}

/** True for stored data of the shape that this version writes. */
export function isEntry(stored: unknown): stored is Entry {
  if (!isRecord(stored) || !isRecord(stored.scope) || !isRecord(stored.request)) return false;
  const { key, id, scope, request, addedAtMs, done } = stored;
  const isWhole = typeof key === 'string' && isWriteId(id) && typeof addedAtMs === 'number';
  const isOfApp = typeof scope.upstream === 'string' && typeof scope.app === 'string';
  const isOpen = done === undefined;
  const isDone = isRecord(done) && typeof done.atMs === 'number' && isReply(done.reply);
  return isWhole && isOfApp && (isOpen || isDone) && typeof request.operation === 'string' && isRecord(request.params);
}

function isReply(stored: unknown): boolean {
  return isRecord(stored) && ('ok' in stored || (isRecord(stored.error) && typeof stored.error.code === 'number'));
}
