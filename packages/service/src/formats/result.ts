import type { Target } from '@gantry/oauth';
import { type EntryEnvelope, type ListEnvelope, type OperationId, operation } from '@gantry/wire';
import type { SiteTime } from '../site-time.ts';

export type Result = EntryEnvelope<unknown> | ListEnvelope<unknown>;

/** What a result answers: an Atom document names itself, its entries, its author and its next page. */
export interface ResultContext {
  readonly operationId: OperationId;
  readonly target: Target;
  /** The members that the path's `{guid}` means. */
  readonly memberIds: readonly string[];
  /** The site's origin. */
  readonly publicUrl: string;
  readonly siteName: string;
  readonly siteTime: SiteTime;
}

export function isList(result: Result): result is ListEnvelope<unknown> {
  return 'totalResults' in result;
}

/** True for a read of AppData, whose entry holds that of each member. */
export function isAppData(operationId: OperationId): boolean {
  const { topic, method } = operation(operationId);
  return topic === 'appData' && method === 'GET';
}
