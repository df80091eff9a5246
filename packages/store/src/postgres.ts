import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Database, Row } from './database.ts';
import { onceForStrings } from './kept-strings.ts';
import { createConnections, type Lent, neverMs } from './postgres-connections.ts';
import { isConflict, postgresError } from './postgres-error.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { bindable, postgresSchemaText } from './postgres-types.ts';
import { createWakes } from './postgres-wakes.ts';
import type { Statement } from './sql.ts';

const conflictTries = 8;

/** A server keeps each prepared statement for each connection. */
const mostPrepared = 200;

const mostSeen = 2_000;

/** Keys are checked by triggers, each row for itself; no trigger of ours does anything else. */
const withoutKeys = 'set local session_replication_role = replica';

/** An arbitrary number: the lock of processes that change the schema at the same time. */
const schemaLock = 4_718_220_135;

/**
 * Opens a PostgreSQL database. Connections are made on demand, and again after the server was down.
 *
 * A batch takes two round trips, however long it is. If the server rolls it back because of a
 * conflict with another transaction, it is repeated. Changes of the schema wait for each other,
 * across processes.
 */
export function openPostgres(options: PostgresOptions): Database {
  const { bulk = false, sync = bulk ? 'normal' : 'full', lockTimeoutMs = 5_000 } = options;
  const { lend, localSettings, connectDirectly, end } = createConnections(options);
  const wakes = createWakes({ connect: connectDirectly });
  const names = preparedNames();
  let uncheckable: boolean | undefined;
  const textOf = onceForStrings((strings) => strings.reduce((before, after, index) => `${before}$${index}${after}`));

  const schemaChange = [
    'set local lock_timeout = 0',
    `select pg_advisory_xact_lock(${schemaLock})`,
    `set local lock_timeout = ${lockTimeoutMs}`,
    'set local statement_timeout = 0',
  ];

  async function run({ client, isPooled }: Lent, { strings, values }: Statement): Promise<Row[]> {
    const text = textOf(strings);
    const changesSchema = isSchemaChange(text);
    const { rows } = await client.query<Row>({
      text: changesSchema ? postgresSchemaText(text) : text,
      values: values.map(bindable),
      name: changesSchema || isPooled ? undefined : names(text),
      queryMode: 'extended', // the simple one would run several statements
      ...(changesSchema && { query_timeout: neverMs }),
    } as pg.QueryConfig);
    return rows;
  }

  async function transact(
    lent: Lent,
    statements: readonly Statement[],
    first: readonly string[] = [],
  ): Promise<Row[][]> {
    const { client, isPooled } = lent;
    await client.query('begin'); // alone: if it failed, statements sent with it would run outside of a transaction
    const changesSchema = statements.some(({ strings }) => isSchemaChange(strings[0] ?? ''));
    const settings = [...(isPooled ? localSettings : []), ...(changesSchema ? schemaChange : []), ...first];
    const before = settings.map((text) => client.query({ text, query_timeout: neverMs } as pg.QueryConfig));
    const runs = statements.map((statement) => run(lent, statement));
    const commit = client.query('commit'); // rolls back if one of them failed
    await settled([...before, ...runs, commit]);
    return Promise.all(runs);
  }

  async function retryConflicts<T>(work: (lent: Lent) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await lend(work);
      } catch (error) {
        if (!isConflict(error) || tries === conflictTries) throw postgresError(error);
      }
      await pause(5 * tries);
    }
  }

  function batch(statements: readonly Statement[]): Promise<Row[][]> {
    const [only] = statements;
    if (only === undefined) return Promise.resolve([]);
    if (statements.length > 1 || isSchemaChange(only.strings[0] ?? '')) {
      return retryConflicts((lent) => transact(lent, statements));
    }
    const isPlain = !bulk && sync === 'full'; // then the limits of the role are ours, too
    return retryConflicts(async (lent) =>
      lent.isPooled && !isPlain ? transact(lent, statements) : [await run(lent, only)],
    );
  }

  /** Resolves with true for superusers, and roles that are granted to switch checks off. */
  async function mayUncheck(): Promise<boolean> {
    uncheckable ??= await retryConflicts(async ({ client }) => {
      await client.query('begin');
      const refused = await client.query(withoutKeys).catch((error) => error);
      await client.query('rollback');
      return !(refused instanceof Error);
    });
    return uncheckable;
  }

  return {
    query: async <R>(statement: Statement) => (await batch([statement]))[0] as R[],
    batch,
    ...(bulk && {
      async batchUnchecked(statements: readonly Statement[], tables: Statement) {
        if (!(await mayUncheck())) return batch(statements);
        const first = [`lock table ${tables.strings.join('')} in share mode`, withoutKeys];
        return retryConflicts((lent) => transact(lent, statements, first));
      },
    }),
    snapshot: (work) =>
      lend(async (lent) => {
        const { client, isPooled } = lent;
        await client.query('begin isolation level repeatable read read only');
        if (isPooled) await client.query(localSettings.join('; '));
        const result = await work(async <R>(statement: Statement) => {
          try {
            return (await run(lent, statement)) as R[];
          } catch (error) {
            throw postgresError(error);
          }
        });
        await client.query('commit');
        return result;
      }),
    wakes,
    async close() {
      await wakes.close();
      await end();
    },
  };
}

function isSchemaChange(text: string): boolean {
  return /^\s*(create|alter|drop)\s/i.test(text);
}

/** Names statements that repeat, so that the server prepares them once for each connection. */
function preparedNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return (text) => {
    const cached = names.get(text);
    if (cached !== undefined || names.size === mostPrepared) return cached;
    if (!seen.has(text)) {
      if (seen.size === mostSeen) seen.clear();
      seen.add(text);
      return undefined;
    }
    const name = `gantry_${names.size}`;
    names.set(text, name);
    seen.delete(text);
    return name;
  };
}

/** Waits for all, then throws the first error in order: later ones only follow from it. */
async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason;
}
