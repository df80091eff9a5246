import { type Database, type Statement, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';

/** Import of JSON Lines that is in progress or was interrupted. */
export interface UnfinishedImport {
  readonly file: string;
  readonly fingerprint: string;
  /** True if indexes are missing until every record is stored. */
  readonly indexesLast: boolean;
  /** Byte to resume at, the start of a line. */
  readonly nextOffset: number;
  readonly nextLine: number;
  readonly records: number;
}

export async function findUnfinishedImport(db: Database): Promise<UnfinishedImport | undefined> {
  const [row] = await db.query<Omit<UnfinishedImport, 'indexesLast'> & { readonly indexesLast: number }>(sql`
    select file, fingerprint, indexes_last as "indexesLast", next_offset as "nextOffset", next_line as "nextLine", records
    from unfinished_import`);
  return row && { ...row, indexesLast: row.indexesLast === 1 };
}

/** Returns true while a world is only partly imported; readiness then fails (contract §9). */
export async function isImporting(db: Database): Promise<boolean> {
  return (await db.query(sql`select 1 from unfinished_import`)).length > 0;
}

/** @throws SocialError UNAVAILABLE while a world is only partly imported. */
export async function refuseDuringImport(db: Database): Promise<void> {
  if (await isImporting(db)) {
    throw new SocialError('UNAVAILABLE', 'An import is unfinished: finish it with gantry import first.', {
      retryAfter: 60,
    });
  }
}

/** Stores an import's position, in the transaction of its records. */
export function saveImport(state: UnfinishedImport): Statement {
  const { file, fingerprint, indexesLast, nextOffset, nextLine, records } = state;
  return sql`
    insert into unfinished_import (one, file, fingerprint, indexes_last, next_offset, next_line, records)
    values (1, ${file}, ${fingerprint}, ${Number(indexesLast)}, ${nextOffset}, ${nextLine}, ${records})
    on conflict (one) do update set file = excluded.file, fingerprint = excluded.fingerprint,
      indexes_last = excluded.indexes_last, next_offset = excluded.next_offset, next_line = excluded.next_line,
      records = excluded.records`;
}

export const forgetImport: Statement = sql`delete from unfinished_import`;
