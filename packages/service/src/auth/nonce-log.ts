import { hash, randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '@gantry/store';
import { DigestSet, digestBytes } from './digest-set.ts';
import { type Boot, currentBoot, keepSeconds, type Nonces, type NoncesOptions, type NonceUse } from './nonces.ts';

/*
 * Requirements (contract §5, security rule 22): a nonce is accepted once among all processes of
 * this machine; a killed process loses none; a read does not wait for the disk; a full disk fails
 * no read.
 *
 * Each nonce is one record at the end of a file that all processes share. The kernel places each
 * append atomically, so the order of the records is the order of the requests. A process appends
 * its record and reads everything appended since its last read, its own record included: the nonce
 * is fresh if no earlier record equals it. Written pages belong to the kernel, so a killed process
 * loses none. A power failure may lose the last pages: the state file then refuses timestamps from
 * before the current boot. See docs/decisions/0004-nonces.md.
 *
 * Record of 32 bytes, so that none crosses a page and a short write leaves no half record: at 0 the
 * digest of timestamp, consumer, token and nonce; at 16 the writer; at 24 its counter; at 28 zero.
 */
const recordBytes = 32;
const writerBytes = 8;

/** Seconds of timestamps in one file, which is deleted once the last is too old to accept. */
const fileSeconds = 300;

interface LogFile {
  readonly path: string;
  readonly fd: number;
  read: number;
  readonly seen: DigestSet;
  /** Records to write once the disk has room. */
  unwritten: Buffer[];
}

/** Opens the nonces of one machine in a folder, made if missing. @throws StoreError if not. */
export async function openNonceLog(folder: string, options: NoncesOptions = {}): Promise<Nonces> {
  const { now = Date.now } = options;
  const boot = options.boot ?? (await currentBoot(now()));
  const writer = randomBytes(writerBytes);
  const salt = randomBytes(4).readUInt32LE();
  const files = new Map<number, LogFile>();
  const chunk = Buffer.alloc(recordBytes * 2048);
  const record = Buffer.alloc(recordBytes);
  let count = 0;
  writer.copy(record, digestBytes);

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const state = openState(folder, boot, now);
  let current: { readonly start: number; readonly file: LogFile } | undefined;
  dropOldFiles();
  for (const start of fileStarts()) readOn(open(start), chunk);

  function fileStarts(): number[] {
    return readdirSync(folder).flatMap((name) => (/^\d+\.log$/.test(name) ? Number.parseInt(name, 10) : []));
  }

  function open(start: number): LogFile {
    const cached = files.get(start);
    if (cached) return cached;
    const path = join(folder, `${start}.log`);
    const file = { path, fd: openSync(path, 'a+', 0o600), read: 0, seen: new DigestSet(salt), unwritten: [] };
    files.set(start, file);
    return file;
  }

  function dropOldFiles(): void {
    const oldest = Math.floor(now() / 1000) - keepSeconds - fileSeconds;
    for (const start of fileStarts().filter((one) => one <= oldest)) {
      const file = files.get(start);
      if (file) closeSync(file.fd);
      files.delete(start);
      current = undefined;
      rmSync(join(folder, `${start}.log`), { force: true });
    }
  }

  function append(file: LogFile): boolean {
    const bytes = file.unwritten.length === 0 ? record : Buffer.concat([...file.unwritten, record]);
    if (writeSync(file.fd, bytes) < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    file.unwritten = [];
    return readOn(file, chunk, record);
  }

  // The disk is full: this process still remembers the nonce, so reads go on (security rule 23). If
  // it were killed now, the nonce would be lost; the flag in the state file, written in place,
  // makes the next start refuse older timestamps.
  function remember(file: LogFile): boolean {
    state.noteLoss();
    readOn(file, chunk);
    if (file.unwritten.length < maxUnwritten) file.unwritten.push(Buffer.from(record));
    return file.seen.add(record, 0);
  }

  function fileOf(timestamp: number): LogFile {
    const start = timestamp - (timestamp % fileSeconds);
    if (current?.start === start) return current.file;
    if (!files.has(start)) dropOldFiles();
    current = { start, file: open(start) };
    return current.file;
  }

  return {
    async consume(use) {
      if (use.timestamp < state.refuseBefore) return 'too old';
      try {
        const file = fileOf(use.timestamp);
        record.write(digestOf(use), 0, digestBytes, 'latin1');
        count = (count + 1) >>> 0;
        record.writeUInt32LE(count, digestBytes + writerBytes);
        let isFirst: boolean;
        try {
          isFirst = append(file);
        } catch (error) {
          if (!isFull(error)) throw error;
          isFirst = remember(file);
        }
        return isFirst ? 'fresh' : 'used';
      } catch (cause) {
        throw new StoreError('unavailable', 'The nonces cannot be read or written.', { cause });
      }
    },
    async close() {
      for (const { fd } of files.values()) closeSync(fd);
      files.clear();
      current = undefined;
      state.close();
    },
  };
}

/** Reads newly appended records. @returns True if `record` is the first with its digest. */
function readOn(file: LogFile, chunk: Buffer, record?: Buffer): boolean {
  let isFirst = false;
  for (;;) {
    const bytes = readSync(file.fd, chunk, 0, chunk.length, file.read);
    const whole = bytes - (bytes % recordBytes);
    for (let at = 0; at < whole; at += recordBytes) {
      const isNew = file.seen.add(chunk, at);
      if (isNew && record?.compare(chunk, at, at + recordBytes) === 0) isFirst = true;
    }
    file.read += whole;
    if (whole < chunk.length) return isFirst;
  }
}

/** Refuses timestamps before a second, in a folder without the nonces that were used until then. */
export function forgetNonceLog(folder: string, refuseBefore: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const state: StateFile = { boot: '', refuseBefore, lost: false };
  writeFileSync(join(folder, 'state'), JSON.stringify(state).padEnd(stateBytes), { mode: 0o600 });
}

/** Unwritten records of one file: five minutes at a thousand a second. The flag covers more. */
const maxUnwritten = 300_000;

/** Returns a SHA-256, a character for each byte: a buffer costs as much again as the hash. */
function digestOf({ consumerKey, token, timestamp, nonce }: NonceUse): string {
  return hash('sha256', JSON.stringify([timestamp, consumerKey, token, nonce]), 'binary');
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes(String((error as NodeJS.ErrnoException).code));
}

interface State {
  /** Seconds since the epoch. Older timestamps are refused. */
  readonly refuseBefore: number;
  noteLoss(): void;
  close(): void;
}

const stateBytes = 256;

/**
 * Opens the state file: one line with the boot, the oldest accepted timestamp and a flag for lost
 * nonces. It is rewritten in place, which works on a full disk too.
 */
function openState(folder: string, boot: Boot, now: () => number): State {
  const path = join(folder, 'state');
  const isNew = readdirSync(folder).length === 0;
  const before = isNew ? { boot: boot.id, refuseBefore: 0, lost: false } : readState(path);
  const since = before.lost ? Math.ceil(now() / 1000) : before.boot === boot.id ? 0 : boot.startedAt;
  const refuseBefore = Math.max(since, before.refuseBefore);
  const fd = openSync(path, isNew ? 'w+' : 'r+', 0o600);
  const write = (lost: boolean) =>
    writeSync(fd, JSON.stringify({ boot: boot.id, refuseBefore, lost }).padEnd(stateBytes), 0);
  let lost = false;
  write(lost);
  return {
    refuseBefore,
    noteLoss() {
      if (lost) return;
      lost = true;
      try {
        write(lost);
      } catch (error) {
        if (!isFull(error)) throw error; // on a read-only disk no server starts anyway
      }
    },
    close: () => closeSync(fd),
  };
}

interface StateFile {
  readonly boot: string;
  readonly refuseBefore: number;
  readonly lost: boolean;
}

function readState(path: string): StateFile {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { boot: '', refuseBefore: 0, lost: false }; // torn by a power failure, so of another boot
  }
}
