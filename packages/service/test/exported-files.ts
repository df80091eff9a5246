import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportWorld, importLines } from '@gantry/service';
import { type Database, openSqlite } from '@gantry/store';
import { databases } from './databases.ts';
import { type Site, secretKey } from './site.ts';

const folder = await mkdtemp(join(tmpdir(), 'gantry-exported-'));

/** Contract databases, SQLite in a file: an export reads over a second connection. */
export const fileDatabases = databases.map(({ name, open }) => ({
  name,
  open: name === 'SQLite' ? async () => openSqlite({ file: join(folder, `${crypto.randomUUID()}.db`) }) : open,
}));

export async function exported(db: Database): Promise<string> {
  let text = '';
  await exportWorld(db, {
    async write(lines) {
      text += lines;
    },
  });
  return text;
}

export async function imported(site: Site, lines: string): Promise<void> {
  const path = join(folder, `${crypto.randomUUID()}.jsonl`);
  await writeFile(path, lines);
  await importLines(site.db, path, { mediaFolder: site.mediaFolder, secretKey });
}
