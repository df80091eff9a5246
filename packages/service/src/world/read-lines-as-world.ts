import { SocialError } from '@gantry/wire';
import { openLineFile } from './line-file.ts';
import { gather, type LineRecord, lineRecord, takesAway } from './line-record.ts';

/**
 * Reads a file of JSON Lines whole, as the content of a world file. Of several records with one id the last counts, as in an
 * import.
 *
 * @throws SocialError BAD_REQUEST that names the first bad record by its line, and for one that takes something away: a world
 * that begins with this file has nothing to take.
 */
export async function readLinesAsWorld(path: string): Promise<object> {
  const file = await openLineFile(path);
  const records = new Map<string, LineRecord>();
  try {
    for await (const { values } of file.read({ offset: 0, line: 1 })) {
      for (const { line, value } of values) {
        const record = lineRecord(value);
        if ('problem' in record) throw refused(line, record.problem.join(' '));
        if (takesAway(record)) throw refused(line, 'takes away what is not there: a new world begins with this file');
        records.set(nameOf(record) ?? `line ${line}`, record);
      }
    }
  } finally {
    await file.close();
  }
  const { removed: _, endedFriendships: __, endedBlocks: ___, site, ...lists } = gather([...records.values()]);
  return { ...(site && { site }), ...lists };
}

function nameOf({ list, record }: LineRecord): string | undefined {
  if (list === 'site') return 'site';
  if (typeof record === 'string' || Array.isArray(record)) return undefined;
  const name = 'id' in record ? record.id : 'key' in record ? record.key : undefined;
  return name === undefined ? undefined : `${list} ${name}`;
}

function refused(line: number, problem: string): SocialError {
  return new SocialError('BAD_REQUEST', `Line ${line}: ${problem}.`);
}
