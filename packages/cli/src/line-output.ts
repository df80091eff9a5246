import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** Where a command writes a long file. */
export interface LineOutput {
  /** Resolves when more can be taken. Rejects when nothing can, and with `ClosedOutput` when nobody wants it any more. */
  write(text: string): Promise<void>;
  /** Completes the file: until then it has another name, so that one that was cut short does not look whole. */
  finish(): Promise<void>;
}

/** Whoever read the output has had enough, as `head` does. It is no failure. */
export class ClosedOutput extends Error {
  override readonly name = 'ClosedOutput';
}

/** @param path A file, which only its owner will be able to read, or `-` for standard output. */
export function openLineOutput(path: string): LineOutput {
  if (path === '-') return { ...writerTo(process.stdout), finish: async () => {} };
  const draft = `${path}.part`;
  rmSync(draft, { force: true }); // of a run that was cut short, perhaps readable by others
  const file = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
  return {
    ...writerTo(file),
    async finish() {
      file.end();
      await finished(file);
      await rename(draft, path);
    },
  };
}

function writerTo(to: Writable): Pick<LineOutput, 'write'> {
  let failure: Error | undefined;
  to.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code === 'EPIPE' ? new ClosedOutput('the output was closed', { cause: error }) : error;
  });
  return {
    async write(text) {
      if (failure) throw failure;
      if (to.write(text)) return;
      await once(to, 'drain').catch((error: Error) => {
        throw failure ?? error;
      });
    },
  };
}
