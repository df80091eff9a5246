import type { Target } from '@gantry/oauth';
import { type EntryEnvelope, type ListEnvelope, type OperationId, operation } from '@gantry/wire';
import type { ZonedTime } from '../zoned-time.ts';

export type Result = EntryEnvelope<unknown> | ListEnvelope<unknown>;

/** Context of a result: an Atom document names itself, its entries, author and next page. */
export interface ResultContext {
  readonly operationId: OperationId;
  readonly target: Target;
  /** Members that the path's `{guid}` names. */
  readonly memberIds: readonly string[];
  readonly publicUrl: string;
  readonly siteName: string;
  readonly zonedTime: ZonedTime;
}

export function isList(result: Result): result is ListEnvelope<unknown> {
  return 'totalResults' in result;
}

/** True for a read of AppData, whose entry is keyed by member. */
export function isAppData(operationId: OperationId): boolean {
  const { topic, method } = operation(operationId);
  return topic === 'appData' && method === 'GET';
}
