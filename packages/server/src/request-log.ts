import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { RequestContext } from './edge/request-context.ts';

export interface Finished {
  readonly context: RequestContext;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  /** False where the client went away before it had the whole answer. */
  readonly isWhole: boolean;
}

/**
 * Logs one line for each request, at `info`. It holds no text that a client wrote but the method, which Node limits to known
 * ones: no path, no query, no key (security rule 8). `consumer` tells keys apart without naming them.
 */
export function logRequest(log: Logger, { context, method, status, seconds, isWhole }: Finished): void {
  if (!log.isLevelEnabled('info')) return;
  const { id, area, operation, reason, consumerKey } = context;
  log.info(
    {
      request: id,
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

/** How a consumer key appears in logs: the first 12 hexadecimal digits of its SHA-256. */
export function consumerMark(key: string): string {
  return hash('sha256', key, 'hex').slice(0, 12);
}
