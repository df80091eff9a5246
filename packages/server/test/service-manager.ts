import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * A service whose socket is kept open while it is restarted, as by a service manager with socket
 * activation.
 */
export interface SocketService {
  readonly port: number;
  /** Stops the process in order, and starts another one. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../cli/bin/gantry.js', import.meta.url));

// A shell holds the socket: a process of Node would accept from it. It starts the service for each
// line that it reads.
const manager = `while read -r _; do
  sh -c 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"' sh "$@" </dev/null &
  echo "started $!"; wait $!; echo "ended $?"
done`;

export async function startWithSocket(args: readonly string[], env: NodeJS.ProcessEnv): Promise<SocketService> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const flags = ['--conditions=@gantry/source', program, 'serve', ...args];
  const shell = spawn('sh', ['-c', manager, 'sh', process.execPath, ...flags], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit', descriptorOf(listener)],
    detached: true,
  });
  listener.close();
  const lines: string[] = [];
  let onLine = (): void => {};
  createInterface({ input: shell.stdout as NonNullable<typeof shell.stdout> }).on('line', (line) => {
    lines.push(line);
    onLine();
  });

  async function lineThatBegins(begin: string): Promise<string> {
    for (;;) {
      const at = lines.findIndex((line) => line.startsWith(begin));
      if (at !== -1) return lines.splice(0, at + 1).at(-1) as string;
      await new Promise<void>((resolve) => {
        onLine = resolve;
      });
    }
  }

  async function begin(): Promise<number> {
    shell.stdin?.write('\n');
    const pid = Number((await lineThatBegins('started ')).slice('started '.length));
    await lineThatBegins('Gantry ready');
    return pid;
  }

  async function end(): Promise<void> {
    process.kill(pid, 'SIGTERM');
    const line = await lineThatBegins('ended ');
    if (line !== 'ended 0') throw new Error(`The service ${line}.`);
  }

  let pid = await begin();
  return {
    port,
    async restart() {
      await end();
      pid = await begin();
    },
    async stop() {
      await end();
      shell.stdin?.end();
      await once(shell, 'exit');
    },
  };
}

/** The number by which the system knows a listening socket, which Node has no public name for. */
function descriptorOf(listener: Server): number {
  return (listener as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
}
