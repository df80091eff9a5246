import { spawn } from 'node:child_process';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Matches the output of a process that is ready. */
  readonly ready: RegExp;
}

export interface RunningProcess {
  /** Returns all output so far. */
  output(): string;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts a process of an example and resolves when its output matches `ready`.
 *
 * @throws Error with the output if the process ends before.
 */
export async function startProcess({ command, args, folder, env, ready }: ProcessOptions): Promise<RunningProcess> {
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (ready.test(text)) resolve();
    });
  }
  const exited = new Promise<number | null>((ended) => child.once('exit', ended));
  child.once('error', reject);
  void exited.then((code) => reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${text}`)));
  await promise;
  return {
    output: () => text,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
