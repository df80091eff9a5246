import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The demo community in a process of its own. */
export interface Demo {
  readonly url: string;
  /** Standard output and error of the server. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts the demo on a port of its own. */
export async function startDemo(data: string): Promise<Demo> {
  let written = '';
  const server = spawn(process.execPath, ['demo/server.ts', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ready = Promise.withResolvers<string>();
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      written += chunk;
      const url = /Gantry ready at (\S+)/.exec(written)?.[1];
      if (url) ready.resolve(url);
    });
  }
  server.once('exit', (code) => ready.reject(new Error(`The demo server ended with ${code}:\n${written}`)));
  return {
    url: await ready.promise,
    output: () => written,
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

/** Copies the data of the demo's first start into a folder that the caller removes. */
export async function copyDemoData(): Promise<string> {
  const socket = connect(Number(process.env.GANTRY_DEMO_DATA_PORT), '127.0.0.1');
  const answer = await text(socket);
  if (answer.startsWith('!')) throw new Error(answer.slice(1));
  const folder = await mkdtemp(join(tmpdir(), 'gantry-demo-'));
  await cp(answer, folder, { recursive: true });
  return folder;
}
