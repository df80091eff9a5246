import type { WriteOptions, WriteReport } from '@gantry/bridge';
import type { Reply, ResourceRequest } from '@gantry/wire';
import type { Scope } from '../calls/scope.ts';
import type { Session } from '../calls/session.ts';
import type { BarePlace, GadgetWrites } from '../gadget.ts';
import type { ContainerStorage } from '../storage.ts';
import type { Entry } from './entry.ts';

/**
 * Keeps every write until its outcome is known, over lost connections, closed tabs and other
 * members. The proxy does each once by its id (docs/decisions/0021-writes-happen-once.md).
 */
export interface Outbox {
  /** Keeps a write and sends it. Resolves with its reply; never rejects. */
  add(session: Session, request: ResourceRequest, options: AddOptions): Promise<Reply>;
  /** Returns the newest writes of a scope, oldest first. */
  reports(scope: Scope): readonly WriteReport[];
  /** Returns all writes of a scope that wait. */
  waiting(scope: Scope): WaitingWrites;
  /** True while closing the page would lose a write that waits. */
  hasUnkept(): boolean;
  /** Stores everything again, after the browser may have lost it. */
  keepAgain(): void;
  /** Sends the writes of this signed-in member, and pauses or forgets those of others. */
  wake(viewer?: string | null): void;
  /** Forgets everything, in every tab. */
  clear(): Promise<void>;
}

export interface WaitingWrites {
  readonly reports: readonly WriteReport[];
  /** A later page sends them, too. */
  readonly areKept: boolean;
}

export interface AddOptions {
  readonly write: WriteOptions & { readonly id: string };
  /** Takes the write back while it has not left. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the write is queued, or waits: later calls do not overtake it. */
  readonly onQueued?: () => void;
}

/** Other tabs of this browser. */
export interface OutboxChannel {
  postMessage(message: Entry | 'clear'): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** An outbox that shows and reports its writes on the page. */
export interface PageOutbox extends Outbox {
  follow(scope: Scope, place: BarePlace, reports: ReturnType<GadgetWrites['reports']>): () => void;
}

/** Name of the outbox in this browser: its channel, and the mark that it holds something. */
export const outboxMark = 'gantry-outbox';

/** True if an earlier page may have left writes. */
export function hasEarlierWrites(storage: ContainerStorage | undefined): boolean {
  try {
    return (storage ?? globalThis).localStorage.getItem(outboxMark) !== null;
  } catch {
    return false; // storage is denied, as IndexedDB will be
  }
}
