import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { KilledDatabase } from './kills.ts';

const script = fileURLToPath(new URL('../../scripts/postgres.mjs', import.meta.url));

/**
 * Starts an empty PostgreSQL that syncs to disk and can be killed. It ends with this process or on
 * close.
 */
export async function startPostgres(): Promise<KilledDatabase & { close(): Promise<void> }> {
  const child = spawn(process.execPath, [script, '--durable'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('PostgreSQL ended.');
    return value;
  };
  const tell = async (line: string): Promise<void> => {
    child.stdin.write(`${line}\n`);
    await answer();
  };
  return {
    url: await answer(),
    kill: () => tell('kill'),
    start: () => tell('start'),
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
