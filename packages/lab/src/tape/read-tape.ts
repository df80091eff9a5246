import { isRecord, parseJson, SocialError } from '@gantry/wire';
import { type Tape, type TapeEntry, type TapeHead, tapeBounds, tapeVersion } from './tape.ts';
import { type LineProblem, readEntry, readHead } from './tape-schema.ts';

/**
 * Reads a tape from an untrusted file: size, lines and depth are bounded, and each line is rebuilt
 * from known members. A truncated last line is left out: its writer was killed.
 *
 * @throws SocialError BAD_REQUEST with one sentence that names the line.
 */
export function readTape(text: string): Tape {
  let head: TapeHead | undefined;
  const entries: TapeEntry[] = [];
  for (const { number, content, isLast } of linesOf(text)) {
    const value = jsonOf(content);
    if (value === undefined && isLast && head) break;
    if (value === undefined)
      throw refused(`Line ${number} of the tape is no JSON, or deeper than ${tapeBounds.depth}.`);
    if (!head) head = checked(readVersion(value), number);
    else entries.push(checked(readEntry(value), number));
  }
  if (!head) throw refused('This is no tape: it is empty.');
  return { head, entries };
}

interface Line {
  readonly number: number;
  readonly content: string;
  /** It has no line break at its end. */
  readonly isLast: boolean;
}

/** Splits into lines that are not blank, and checks all bounds before a line is parsed. */
function linesOf(text: string): readonly Line[] {
  if (text.length > tapeBounds.characters)
    throw refused(`The tape is longer than ${tapeBounds.characters} characters.`);
  const lines: Line[] = [];
  let from = 0;
  for (let number = 1; from < text.length; number++) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    if (to - from > tapeBounds.lineLength) {
      throw refused(`Line ${number} of the tape is longer than ${tapeBounds.lineLength} characters.`);
    }
    const content = text.slice(from, to);
    if (content.trim() !== '') lines.push({ number, content, isLast: end === -1 });
    if (lines.length > tapeBounds.entries + 1) throw refused(`The tape has more than ${tapeBounds.entries} entries.`);
    from = to + 1;
  }
  return lines;
}

function readVersion(value: unknown): TapeHead | LineProblem {
  const version = isRecord(value) ? value.tape : undefined;
  if (typeof version !== 'number') throw refused('This is no tape: line 1 has no version.');
  if (version === tapeVersion) return readHead(value);
  if (version < tapeVersion) throw refused('This is no tape: line 1 has a version that never was.');
  throw refused(
    `The tape has version ${version}, and this Gantry reads ${tapeVersion}. Read it with a newer one: npx @gantry/cli@latest tape.`,
  );
}

function checked<Line extends object>(line: Line | LineProblem, number: number): Line {
  if ('problem' in line && !('kind' in line)) throw refused(`Line ${number} of the tape ${line.problem}.`);
  return line as Line;
}

function jsonOf(content: string): unknown {
  try {
    return parseJson(content, tapeBounds.depth);
  } catch {
    return undefined;
  }
}

function refused(message: string): SocialError {
  return new SocialError('BAD_REQUEST', message);
}
