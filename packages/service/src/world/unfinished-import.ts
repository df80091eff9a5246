import { type Database, type Statement, sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';

/** An import of JSON Lines that has begun and not ended, perhaps because its process did. */
export interface UnfinishedImport {
  /** Name of the file, as it was given. */
  readonly file: string;
  /** Of the file's content. */
  readonly fingerprint: string;
  /** Whether indexes are missing and are made when every record is in. */
  readonly indexesLast: boolean;
  /** Where it goes on: a line begins at this byte, */
  readonly nextOffset: number;
  /** which has this number, from 1. */
  readonly nextLine: number;
  /** Records that are stored. */
  readonly records: number;
}

interface Row {
  readonly file: string;
  readonly fingerprint: string;
  readonly indexes_last: number;
  readonly next_offset: number;
  readonly next_line: number;
  readonly records: number;
}

export async function unfinishedImport(db: Database): Promise<UnfinishedImport | undefined> {
  const [row] = await db.query<Row>(sql`
    select file, fingerprint, indexes_last, next_offset, next_line, records from unfinished_import`);
  if (!row) return undefined;
  const { file, fingerprint, indexes_last, next_offset, next_line, records } = row;
  return {
    file,
    fingerprint,
    indexesLast: indexes_last === 1,
    nextOffset: next_offset,
    nextLine: next_line,
    records,
  };
}

/** Whether a world is only partly there. Readiness says so (contract §9). */
export async function isImporting(db: Database): Promise<boolean> {
  return (await db.query(sql`select 1 from unfinished_import`)).length > 0;
}

/** @throws SocialError UNAVAILABLE while a world is only partly there. */
export async function refuseDuringImport(db: Database): Promise<void> {
  if (await isImporting(db)) {
    throw new SocialError('UNAVAILABLE', 'An import is unfinished: let gantry import finish it first.', {
      retryAfter: 60,
    });
  }
}

/** Where an import stands, for the transaction of its records. */
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
