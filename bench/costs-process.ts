// The server of `costs.ts` with production limits. Between 'begin' and 'end' it measures its
// resources.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addApp, readServerConfiguration, startServer } from '@gantry/server';
import { importWorld } from '@gantry/service';
import { sql } from '@gantry/store';
import { costsWorld, otherMemberKey } from './costs-world.ts';

/** Resources used since 'begin'. */
export interface Used {
  readonly cpuMs: number;
  readonly peakGrowthBytes: number;
  /** Request tokens that are stored for `otherMemberKey`. */
  readonly requestTokens: number;
}

const data = await mkdtemp(join(tmpdir(), 'gantry-bench-costs-'));
const { url, stores, close } = await startServer({
  configuration: readServerConfiguration(['--port', '0', '--data', data, '--trust-proxy', '127.0.0.1,::1'], {}),
  prepare: async (stores) => {
    await importWorld(stores.db, costsWorld, { ...stores, folder: data });
    await addApp(stores, {
      id: 'bench',
      folder: fileURLToPath(new URL('app', import.meta.url)),
      live: true,
      trusted: true,
    });
  },
});

let start = { cpuMs: 0, bytes: 0 };

function begin(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }); // returns memory to the system
  writeFileSync('/proc/self/clear_refs', '5'); // resets the peak
  start = { cpuMs: cpuMs(), bytes: memory('VmRSS') };
}

async function used(): Promise<Used> {
  const spentMs = cpuMs() - start.cpuMs;
  const [row] = await stores.db.query<{ count: number }>(
    sql`select count(*) as count from request_token where consumer_key = ${otherMemberKey.key}`,
  );
  return {
    cpuMs: spentMs,
    peakGrowthBytes: Math.max(0, memory('VmHWM') - start.bytes),
    requestTokens: Number(row?.count),
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function memory(name: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

process.on('message', async (command: 'begin' | 'end') => {
  if (command === 'begin') begin();
  process.send?.(command === 'begin' ? 'begun' : await used());
});
process.once('disconnect', async () => {
  await close();
  await rm(data, { recursive: true });
});
process.send?.({ url });
