import { readEntry, readHead, type Tape, type TapeEntry, tapeBounds, tapeVersion } from '@gantry/lab/tape';
import { isRecord, parseJson, SocialError } from '@gantry/wire';
import { countText, terminalText } from '@gantry/wire/runtime';

/** A tape as far as it could be read. */
export interface TapeFile extends Tape {
  /** Sentences about what could not be read. */
  readonly problems: readonly string[];
}

const mostText = 4_000;

/**
 * Recovers what can be read of a tape. `readTape` refuses a tape with one wrong line; this keeps
 * the others and says what is missing: its writer was killed, or was a newer Gantry.
 *
 * @throws SocialError BAD_REQUEST in one sentence for a file that is no tape, or TOO_LARGE.
 */
export function recoverTape(text: string): TapeFile {
  if (text.length > tapeBounds.characters) throw tooLong();
  const lines = linesOf(text.startsWith('\uFEFF') ? text.slice(1) : text);
  const first = jsonOf(lines.next().value ?? '');
  const problems: string[] = [];
  const version = isRecord(first) && Number.isInteger(first.tape) ? (first.tape as number) : 0;
  if (!isRecord(first) || version < 1) throw new SocialError('BAD_REQUEST', noTape);
  if (version > tapeVersion) {
    const release = terminalText(String(first.release), 40);
    problems.push(
      `Gantry ${release} wrote this tape in version ${version}, and this one reads version ${tapeVersion}: entries that it does not know are left out. npx @gantry/cli@latest open shows all.`,
    );
  }
  const head = readHead({ ...first, tape: tapeVersion });
  if ('problem' in head) throw new SocialError('BAD_REQUEST', `This is no tape: its first line ${head.problem}.`);
  const entries: TapeEntry[] = [];
  let unread = 0;
  let last: unknown;
  for (const line of lines) {
    if (line.trim() === '') continue;
    if (entries.length === tapeBounds.entries) {
      const most = tapeBounds.entries.toLocaleString('en');
      problems.push(`The tape has more than ${most} entries: the first ones are shown.`);
      break;
    }
    last = line.length > tapeBounds.lineLength ? undefined : jsonOf(line);
    const entry = readEntry(last);
    if ('kind' in entry) entries.push(shortened(entry));
    else unread += 1;
  }
  if (unread > 0 && last === undefined && !text.endsWith('\n')) {
    unread -= 1;
    problems.push('The last line is cut off: what wrote the tape was ended meanwhile. All before it is shown.');
  }
  if (unread > 0) {
    problems.push(`${countText(unread, 'line is', 'lines are')} no entry that this version knows: left out.`);
  }
  return { head, entries, problems };
}

/** The error for what is longer than a tape may be. */
export function tooLong(): SocialError {
  return new SocialError('TOO_LARGE', `A tape of more than ${tapeBounds.characters / 1024 / 1024} MiB is not opened.`);
}

/** Truncates names, messages and texts. Payloads stay whole, and are rendered in parts. */
function shortened(entry: TapeEntry): TapeEntry {
  const members = Object.entries(entry).map(([name, value]) => [name, short(value)]);
  const error = 'error' in entry && entry.error && { ...entry.error, message: short(entry.error.message) };
  return { ...Object.fromEntries(members), ...(error && { error }) } as TapeEntry;
}

function short<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.slice(0, mostText) : value;
}

/** Yields one line at a time, so that a file of line ends costs no more than others of its size. */
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
    return parseJson(line, tapeBounds.depth);
  } catch {
    return undefined;
  }
}

const noTape =
  'This is no tape: its first line must be JSON with the version, such as {"tape":1, …}. Tapes are written by the kit for tests and by the list of calls of gantry dev.';
