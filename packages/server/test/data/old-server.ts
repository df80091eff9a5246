import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { freePort } from '../free-port.ts';
import { fixture, type OldDatabase, oldUrl, type Site } from './old-site.ts';

/** The `gantry` command of 0.1.0, unpacked. */
export interface OldRelease {
  /** Runs one command line to its end. */
  run(place: OldDatabase, ...args: string[]): Promise<{ readonly code: number; readonly said: string }>;
  /** Starts its server over a database, and resolves when it is ready. */
  serve(place: OldDatabase): Promise<OldServer>;
  remove(): Promise<void>;
}

export interface OldServer extends Site {
  stop(): Promise<void>;
}

/** Unpacks the server of 0.1.0 into a folder of its own, with the native module that it needs. */
export async function unpackOldRelease(): Promise<OldRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-0.1.0-'));
  await writeFile(join(folder, 'gantry.mjs'), await promisify(gunzip)(await readFile(join(fixture, 'server.js.gz'))));
  await cp(join(fixture, 'container'), folder, { recursive: true });
  await cp(join(fixture, 'osapi.js'), join(folder, 'osapi.js'));
  await mkdir(join(folder, 'node_modules'));
  const sharp = dirname(dirname(fileURLToPath(import.meta.resolve('sharp'))));
  await symlink(sharp, join(folder, 'node_modules/sharp'));

  const start = ({ data, database }: OldDatabase, args: readonly string[]) =>
    spawn(process.execPath, [join(folder, 'gantry.mjs'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, GANTRY_DATA: data, GANTRY_DATABASE: database, GANTRY_URL: oldUrl },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // with the channel it ends when this process does
    });

  return {
    async run(place, ...args) {
      const child = start(place, args);
      const [out, err, [code]] = await Promise.all([
        text(child.stdout ?? Readable.from([])),
        text(child.stderr ?? Readable.from([])),
        once(child, 'exit'),
      ]);
      return { code, said: out + err };
    },
    async serve(place) {
      const port = await freePort();
      const child = start(place, ['serve', '--port', String(port), '--host', '127.0.0.1']);
      await readyLine(child);
      return {
        fetch: (sent, rawTarget) => sendTo(port, sent, rawTarget),
        async stop() {
          child.kill('SIGTERM');
          if (child.exitCode === null) await once(child, 'exit');
        },
      };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function readyLine({ stdout, stderr }: ChildProcess): Promise<void> {
  let said = '';
  stderr?.on('data', (chunk) => {
    said += chunk;
  });
  for await (const chunk of stdout as Readable) {
    said += chunk;
    if (!said.includes('Gantry ready at')) continue;
    stdout?.resume();
    return;
  }
  throw new Error(`Gantry 0.1.0 did not start: ${said}`);
}

/** Sends a request to a port under the site's own name. `fetch` would name the port. */
async function sendTo(port: number, sent: Request, rawTarget: string): Promise<Response> {
  const headers = { ...Object.fromEntries(sent.headers), host: new URL(oldUrl).host };
  const body = sent.body ? Buffer.from(await sent.arrayBuffer()) : undefined;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = request(
    { port, host: '127.0.0.1', method: sent.method, path: rawTarget, headers, agent: false },
    (incoming) => {
      const received = new Headers();
      for (const [name, values] of Object.entries(incoming.headersDistinct))
        for (const value of values ?? []) received.append(name, value);
      const status = incoming.statusCode ?? 0;
      const isEmpty = status === 204 || status === 304;
      const stream = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
      resolve(new Response(isEmpty ? null : stream, { status, headers: received }));
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  sent.signal.addEventListener('abort', () => outgoing.destroy());
  return promise;
}
