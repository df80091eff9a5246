import { openLineFile } from './line-file.ts';
import { badLine, groupRecords, isDeletion, type LineRecord, recordOfLine } from './line-record.ts';

/**
 * Reads a whole file of JSON Lines as the content of a world file. The last record of an id counts,
 * as in an import.
 *
 * @throws SocialError BAD_REQUEST that names the first bad record by its line, also for a record
 * that removes something: a new world has nothing to remove.
 */
export async function readLinesAsWorld(path: string): Promise<object> {
  const file = await openLineFile(path);
  const records = new Map<string, LineRecord>();
  try {
    for await (const { values } of file.read({ offset: 0, line: 1 })) {
      for (const { line, value } of values) {
        const record = recordOfLine(line, value);
        if (isDeletion(record)) throw badLine(line, 'removes something, but a new world has nothing to remove');
        records.set(nameOf(record) ?? `line ${line}`, record);
      }
    }
  } finally {
    await file.close();
  }
  const { removed: _, endedFriendships: __, endedBlocks: ___, site, ...lists } = groupRecords([...records.values()]);
  return { ...(site && { site }), ...lists };
}

function nameOf({ list, record }: LineRecord): string | undefined {
  if (list === 'site') return 'site';
  if (typeof record === 'string' || Array.isArray(record)) return undefined;
  const name = 'id' in record ? record.id : 'key' in record ? record.key : undefined;
  return name === undefined ? undefined : `${list} ${name}`;
}
