import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** Destination of a long file. */
export interface LineOutput {
  /** Resolves when more can be written. Rejects with `ClosedOutput` if the reader has gone. */
  write(text: string): Promise<void>;
  /** Completes the file, which has another name until then. */
  finish(): Promise<void>;
}

/** The reader closed the output, as `head` does. Not a failure. */
export class ClosedOutput extends Error {
  override readonly name = 'ClosedOutput';
}

/** Opens a file, readable by its owner only, or standard output (`-`) for writing. */
export function openLineOutput(path: string): LineOutput {
  if (path === '-') return { ...writerTo(process.stdout), finish: async () => {} };
  const draft = `${path}.part`;
  rmSync(draft, { force: true }); // an interrupted run may have left a public one
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
