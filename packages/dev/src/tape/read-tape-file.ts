import { readTapeEntry, readTapeHead } from '@gantry/lab/host';
import { type TapeEntry, type TapeHead, tapeVersion } from '@gantry/lab/tape';
import { parseJson, SocialError } from '@gantry/wire';
import { plainText } from '../output/plain-text.ts';

/** A tape as far as it could be read. */
export interface TapeFile {
  readonly head: TapeHead;
  readonly entries: readonly TapeEntry[];
  /** Sentences about what could not be read. */
  readonly problems: readonly string[];
}

/** Characters of a tape that is opened. */
export const mostTapeCharacters = 64 * 1024 * 1024;
/** Entries that are shown: as many as a record keeps. */
export const mostTapeEntries = 20_000;

/**
 * Reads a tape that anybody may have written, or whose writer was killed.
 *
 * @throws SocialError BAD_REQUEST in one sentence for a file that is no tape, or TOO_LARGE for a longer one.
 */
export function readTapeFile(text: string): TapeFile {
  if (text.length > mostTapeCharacters) {
    throw new SocialError('TOO_LARGE', `A tape of more than ${mostTapeCharacters / 1024 / 1024} MiB is not opened.`);
  }
  const isCutOff = !text.endsWith('\n');
  const lines = linesOf(text.startsWith('\uFEFF') ? text.slice(1) : text);
  const first = lines.next().value ?? '';
  const head = readTapeHead(jsonOf(first));
  if (head === undefined) throw new SocialError('BAD_REQUEST', whyNoTape(first));
  const problems: string[] = [];
  if (head.tape > tapeVersion) {
    problems.push(
      `Gantry ${plainText(head.release, 40)} wrote this tape in version ${head.tape}, and this one reads version ${tapeVersion}. Entries that it does not know are left out: npx @gantry/cli@latest open shows all.`,
    );
  }
  const entries: TapeEntry[] = [];
  let unread = 0;
  let last: unknown;
  for (const line of lines) {
    if (line === '') continue;
    if (entries.length === mostTapeEntries) {
      problems.push(
        `The tape has more than ${mostTapeEntries.toLocaleString('en')} entries: the first ones are shown.`,
      );
      break;
    }
    last = jsonOf(line);
    const entry = last === undefined ? undefined : readTapeEntry(last);
    if (entry) entries.push(entry);
    else unread += 1;
  }
  if (isCutOff && last === undefined && unread > 0) {
    unread -= 1;
    problems.push('The last line is cut off: what wrote the tape was ended meanwhile. All before it is shown.');
  }
  if (unread > 0) {
    problems.push(`${unread} ${unread === 1 ? 'line is' : 'lines are'} no entry that this version knows: left out.`);
  }
  return { head, entries, problems };
}

/** Yields line by line: a file of nothing but line ends costs no more than another of its length. */
function* linesOf(text: string): Generator<string, undefined> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end === -1 ? text.length : end);
    from = end === -1 ? text.length : end + 1;
  }
}

function jsonOf(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

function whyNoTape(first: string): string {
  if (first.trim() === '') return 'This is no tape: the file is empty, or its first line is.';
  return 'This is no tape: its first line must be JSON with the version, such as {"tape":1, …}. Tapes are written by the kit for tests and by the list of calls of gantry dev.';
}
