import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { SocialError } from '@gantry/wire';
import { badLine } from './line-record.ts';

export interface LinePosition {
  readonly offset: number;
  readonly line: number;
}

export interface LineBlock {
  /** Parsed values of the lines that are not blank. */
  readonly values: readonly { readonly line: number; readonly value: unknown }[];
  /** Returns the start of the line after one of these. */
  after(line: number): LinePosition;
}

export type LineFile = Awaited<ReturnType<typeof openLineFile>>;

/** Few enough that the answers of a database are handled between two blocks. */
const blockBytes = 1 << 15;
const longestLine = 8 << 20;
const fingerprintBytes = 1 << 16;
const newline = 10;

export async function openLineFile(path: string) {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // a pipe is not waited for
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    throw new SocialError('BAD_REQUEST', 'A world is a regular file, which can be read twice.');
  }
  return {
    size: stats.size,
    /** Differs for another or a changed file. */
    fingerprint: await fingerprintOf(file, stats),
    /** Reads from a position on, block by block. */
    read: (from: LinePosition): AsyncGenerator<LineBlock> => readLines(file, from),
    close: (): Promise<void> => file.close(),
  };
}

async function fingerprintOf(file: FileHandle, { size, mtimeMs }: Stats): Promise<string> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(fingerprintBytes), 0, fingerprintBytes, 0);
  return createHash('sha256').update(`${size} ${mtimeMs} `).update(buffer.subarray(0, bytesRead)).digest('hex');
}

async function* readLines(file: FileHandle, from: LinePosition): AsyncGenerator<LineBlock> {
  let { offset, line } = from;
  let rest: Buffer = Buffer.alloc(0);
  for (let isLast = false; !isLast; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(blockBytes), 0, blockBytes, offset + rest.length);
    isLast = bytesRead === 0;
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const end = isLast ? bytes.length : bytes.lastIndexOf(newline) + 1;
    rest = bytes.subarray(end);
    if (rest.length > longestLine) throw badLine(line + countLines(bytes.subarray(0, end)), 'it is longer than 8 MiB');
    if (end === 0) continue;
    const whole = bytes.subarray(0, end);
    yield { values: parse(whole, line), after: placeAfter(whole, { offset, line }) };
    line += countLines(whole);
    offset += end;
  }
}

function placeAfter(bytes: Buffer, first: LinePosition): (line: number) => LinePosition {
  return (line) => {
    let at = 0;
    for (let next = first.line; next <= line; next++) {
      const end = bytes.indexOf(newline, at);
      at = end < 0 ? bytes.length : end + 1;
    }
    return { offset: first.offset + at, line: line + 1 };
  };
}

function parse(bytes: Buffer, first: number): LineBlock['values'] {
  const count = countLines(bytes);
  // One call for all lines is much faster than one per line. On failure each line is parsed alone,
  // to name the faulty one.
  const values = parseAll(bytes);
  if (values?.length === count) return values.map((value, index) => ({ line: first + index, value }));
  const lines = bytes.toString('latin1').split('\n');
  return lines.flatMap((text, index) => {
    const line = first + index;
    return text.trim() === '' ? [] : { line, value: parseLine(Buffer.from(text, 'latin1'), line) };
  });
}

function parseAll(bytes: Buffer): readonly unknown[] | undefined {
  try {
    const text = utf8.decode(bytes);
    const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
    return JSON.parse(`[${lines.replaceAll('\n', ',')}]`);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseLine(bytes: Buffer, line: number): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw badLine(line, error instanceof SyntaxError ? `it is not JSON: ${error.message}` : 'it is not UTF-8');
  }
}

/** Counts lines; the last may lack its line end. */
function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return bytes.length > 0 && bytes.at(-1) !== newline ? count + 1 : count;
}
