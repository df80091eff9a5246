import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { signRequest } from '@gantry/oauth';
import { freePort } from '../../server/test/free-port.ts';
import { runCommand } from './run-command.ts';

const program = fileURLToPath(new URL('../bin/gantry.js', import.meta.url));

/** Public address of the site, which signatures cover, in each process. */
const publicUrl = 'http://social.example';

export interface Process {
  readonly port: number;
  readonly child: ChildProcess;
  /** Returns its standard error so far. */
  readonly errors: () => string;
  /** Returns its standard output so far. */
  readonly output: () => string;
  /** Sends SIGTERM, and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Runs `gantry serve` in a process, and resolves when it is ready. */
export async function serve(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  options: { readonly isService?: boolean } = {},
): Promise<Process> {
  return start('serve', ['--url', publicUrl, ...args], env, options);
}

/** The same for any command that runs until it is stopped. */
export async function start(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { isService = false }: { readonly isService?: boolean } = {},
): Promise<Process> {
  const port = await freePort();
  const flags = ['--conditions=@gantry/source', program, command, '--port', String(port), ...args];
  // With the channel it ends when this process does, however that ended.
  const child = spawn(process.execPath, flags, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: isService,
  });
  let [errors, output] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), exited]);
  if (!String(line).startsWith('Gantry ready at')) throw new Error(`gantry ${command} ended: ${errors}`);
  return {
    port,
    child,
    errors: () => errors,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code as number | null;
    },
  };
}

/** Runs one command line in this process. On failure its output is the error. */
export async function gantry(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { code, out, err } = await runCommand(args, env);
  if (code !== 0) throw new Error(`gantry ${args.join(' ')} ended with ${code}: ${out}\n${err}`);
}

export interface Signed {
  readonly method?: string;
  readonly path: string;
  readonly consumer: { readonly key: string; readonly secret: string };
  readonly as: string;
  readonly nonce: string;
  /**
   * Seconds since the epoch; now, if it is absent. A nonce counts once for each timestamp (contract
   * §5).
   */
  readonly timestamp?: number;
  readonly body?: unknown;
}

/**
 * Sends a signed request on a new connection, so that any worker may get it, and resolves with the
 * status.
 */
export async function sendSigned(
  port: number,
  { method = 'GET', path, consumer, as, nonce, timestamp = Math.floor(Date.now() / 1000), body }: Signed,
): Promise<number> {
  const url = `${publicUrl}/social/rest${path}`;
  const { authorization } = signRequest({
    ...{ method, url, consumer, nonce, timestamp },
    parameters: [['xoauth_requestor_id', as]],
  });
  const outgoing = request({
    ...{ host: '127.0.0.1', port, method, path: `/social/rest${path}`, agent: false },
    headers: {
      host: new URL(publicUrl).host,
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}
