import { setTimeout as pause } from 'node:timers/promises';
import { isImporting } from '@gantry/service';
import { type Database, StoreError, sql } from '@gantry/store';

export interface ReadinessOptions {
  /** Milliseconds after which a silent database counts as unavailable. Default 700. */
  readonly patienceMs?: number;
  readonly now?: () => number;
  /** Schema of the database: a whole site's, or the proxy's alone. */
  readonly schema?: 'service' | 'proxy';
}

// Frequent requests must not make the disk sync each time. With `patienceMs` less than a second.
const keptMs = 250;

/**
 * Makes the handler of `/readyz`: 200 while the database is writable and no import runs, else 503
 * (security rule 23, contract §9). It tries a write that changes nothing, since a full disk, a
 * read-only file and a lock still allow reads.
 */
export function createReadiness(
  db: Database,
  { patienceMs = 700, now = Date.now, schema = 'service' }: ReadinessOptions = {},
) {
  let asking: Promise<string> | undefined;
  let readyUntilMs = 0;

  async function ask(): Promise<string> {
    const status = await Promise.race([writable(db, schema), timeout(patienceMs)]);
    if (status === ready) readyUntilMs = now() + keptMs;
    asking = undefined;
    return status;
  }

  return async function readiness(): Promise<Response> {
    asking ??= now() < readyUntilMs ? undefined : ask();
    const status = (await asking) ?? ready;
    return Response.json(
      { status },
      { status: status === ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
    );
  };
}

const ready = 'ready';
const unavailable = 'database unavailable';

async function writable(db: Database, schema: string): Promise<string> {
  try {
    if (schema === 'service' && (await isImporting(db))) return 'importing'; // first: a long import also blocks writes
    await db.query(sql`update schema_migration set number = number where set_name = ${schema} and number = 1`);
    return ready;
  } catch (error) {
    return error instanceof StoreError && error.reason === 'full' ? 'storage full or read-only' : unavailable;
  }
}

const timeout = (ms: number): Promise<string> => pause(ms, unavailable, { ref: false });
