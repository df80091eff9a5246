import { hash } from 'node:crypto';
import type { Logger } from '@gantry/wire/runtime';
import type { RequestContext } from '../edge/request-context.ts';

export interface Finished {
  readonly context: RequestContext;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  /** False if the client disconnected before the end of the response. */
  readonly isWhole: boolean;
}

/**
 * Logs one line for each request, at `info`. It holds no text from the client but the method, which
 * Node limits to known ones: no path, query or key (security rule 8). `consumer` is a hash of the
 * key.
 */
export function logRequest(log: Logger, { context, method, status, seconds, isWhole }: Finished): void {
  if (log.isLevelEnabled?.('info') === false) return;
  const { id, trace, area, operation, reason, consumerKey } = context;
  log.info(
    {
      request: id,
      trace: trace?.id,
      method,
      area,
      operation,
      status,
      ms: Math.round(seconds * 1e5) / 100,
      reason,
      consumer: consumerKey === undefined ? undefined : consumerMark(consumerKey),
      ...(!isWhole && { cut: true }),
    },
    'answered',
  );
}

/** Returns the log's name of a consumer key: the first 12 hexadecimal digits of its SHA-256. */
export function consumerMark(key: string): string {
  return hash('sha256', key, 'hex').slice(0, 12);
}
