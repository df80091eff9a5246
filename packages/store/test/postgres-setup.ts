import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A port of this machine that answers with the address of the run's PostgreSQL, or `!` and why
     * there is none.
     */
    readonly postgresPort: number;
  }
}

const script = fileURLToPath(new URL('../../../scripts/postgres.mjs', import.meta.url));

/** One PostgreSQL for the whole run, started when the first test asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: ChildProcess | undefined;
  let address: Promise<string> | undefined;

  async function start(): Promise<string> {
    // Its input is a pipe that we hold: it ends when this process does, however that happens.
    const pooler = process.env.GANTRY_TEST_POOLER?.split(' ').map((word, index) =>
      index === 0 ? `--pooler=${word}` : `--${word}`,
    );
    const child = spawn(process.execPath, [script, ...(pooler ?? [])], { stdio: ['pipe', 'pipe', 'pipe'] });
    server = child;
    const problem = text(child.stderr);
    const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [undefined])]);
    return said === undefined ? `!${await problem}` : String(said).trim();
  }

  const broker = createServer((socket) => {
    address ??= start();
    address.then(
      (answer) => socket.end(answer),
      ({ message }: Error) => socket.end(`!${message}`),
    );
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  project.provide('postgresPort', (broker.address() as AddressInfo).port);

  return async () => {
    broker.close();
    if (!server || server.exitCode !== null) return;
    server.stdin?.end();
    await once(server, 'exit');
  };
}
