import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface ServerProcess {
  /** Milliseconds from its start to the first `200` of `/readyz`. */
  readonly readyMs: number;
  /** SIGKILL, and the end of it. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL('../../packages/cli/bin/gantry.js', import.meta.url));
const patienceMs = 30_000;

/** Starts `gantry serve` as a process of its own. `args` are its flags. */
export async function startServerProcess({
  port,
  args,
}: {
  port: number;
  args: readonly string[];
}): Promise<ServerProcess> {
  const start = performance.now();
  const flags = ['--conditions=@gantry/source', program, 'serve', '--port', String(port), ...args];
  // With the channel it ends when this process does, however this one ended.
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => {
    errors = (errors + text).slice(-2_000);
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    const ended = exited.then(() => 'ended');
    if ((await Promise.race([untilReady(port), ended])) === 'ended') throw new Error('It ended.');
  } catch (error) {
    await kill();
    throw new Error(`The server did not start: ${(error as Error).message} ${errors}`);
  }
  return { readyMs: performance.now() - start, kill };
}

/** Asks until the server says that it is ready. @throws Error after half a minute. */
export async function untilReady(port: number): Promise<void> {
  for (const start = performance.now(); !(await isReady(port)); await pause(5)) {
    if (performance.now() - start > patienceMs) throw new Error(`It was not ready after ${patienceMs / 1_000} s.`);
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}
