import { type Database, sql } from '@gantry/store';
import { type ExportScope, exporters } from './export-records.ts';
import type { RunQuery } from './export-rows.ts';

export interface ExportOptions extends ExportScope {
  /** Writes some whole lines. The next call follows once it has resolved. */
  readonly write: (lines: string) => Promise<void>;
  readonly onProgress?: (progress: { readonly records: number; readonly total: number }) => void;
}

export interface ExportReport {
  readonly records: number;
  /** Consumer keys left out together with their secrets. */
  readonly consumersLeftOut: number;
  /** Items without their images. */
  readonly imagesLeftOut: number;
}

/**
 * Writes the whole site as JSON Lines for `importLines`, from one snapshot, in an order in which
 * each record follows those it refers to. Tokens, sessions and app registrations are not included.
 */
export async function exportWorld(db: Database, options: ExportOptions): Promise<ExportReport> {
  const { secretKey, copyImage, write, onProgress = () => {} } = options;
  return db.snapshot(async (query) => {
    const report = { records: 0, consumersLeftOut: 0, imagesLeftOut: 0 };
    const total = await estimate(query);
    let chunk = '';
    async function flush(): Promise<void> {
      await write(chunk);
      chunk = '';
      onProgress({ records: report.records, total: Math.max(total, report.records) });
    }
    async function writeRecord(record: object): Promise<void> {
      chunk += `${JSON.stringify(record)}\n`;
      report.records++;
      if (chunk.length >= chunkLength) await flush();
    }
    for (const exportAll of exporters) await exportAll({ query, report, write: writeRecord, secretKey, copyImage });
    await flush();
    return report;
  });
}

const chunkLength = 1 << 20;

/** Estimates the records from the large tables; a friendship has two rows. */
async function estimate(query: RunQuery): Promise<number> {
  const [row] = await query<{ n: number }>(sql`
    select (select count(*) from member) + (select count(*) from friendship) / 2 + (select count(*) from activity)
      + (select count(*) from media_item) as n`);
  return Number(row?.n ?? 0);
}
