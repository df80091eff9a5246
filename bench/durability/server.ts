import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface ServerProcess {
  /** Milliseconds from its start to the first `200` of `/readyz`. */
  readonly readyMs: number;
  /** Sends SIGKILL and resolves when the process has ended. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL('../../packages/cli/bin/gantry.js', import.meta.url));
const patienceMs = 60_000;

/** Starts `gantry serve` in a process of its own with the flags `args`. */
export async function startServerProcess({
  port,
  args,
  env = {},
}: {
  port: number;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}): Promise<ServerProcess> {
  const start = performance.now();
  const flags = ['--conditions=@gantry/source', program, 'serve', '--port', String(port), ...args];
  // The IPC channel ends the server with this process, even after kill -9.
  const child = spawn(process.execPath, flags, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
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
    if ((await Promise.race([untilReady(port), ended])) === 'ended')
      throw new Error('The server ended before it was ready.');
  } catch (error) {
    await kill();
    throw new Error(`The server did not start: ${(error as Error).message} ${errors}`);
  }
  return { readyMs: performance.now() - start, kill };
}

/** Polls `/readyz`. @throws Error after a minute. */
export async function untilReady(port: number): Promise<void> {
  for (const start = performance.now(); !(await isReady(port)); await pause(5)) {
    if (performance.now() - start > patienceMs)
      throw new Error(`The server was not ready after ${patienceMs / 1_000} s.`);
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}
