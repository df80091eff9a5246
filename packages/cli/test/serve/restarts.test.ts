import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../server/test/free-port.ts';
import { startWithSocket } from '../../../server/test/service-manager.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { type Process, serve } from '../real-site.ts';
import { loadWhile, prepareSite, site } from './restart-load.ts';

const kinds = [
  { name: 'SQLite', prepare: async () => ({}) },
  {
    name: 'PostgreSQL',
    async prepare() {
      const schema = await createSchema();
      onTestFinished(() => schema.remove());
      return { GANTRY_DATABASE: schema.url };
    },
  },
] as const;

async function newSite(prepare: () => Promise<NodeJS.ProcessEnv>): Promise<NodeJS.ProcessEnv> {
  const data = folderForTest();
  return prepareSite({ GANTRY_DATA: data, ...(await prepare()) });
}

test.each([
  [kinds[0], 'new'],
  [kinds[0], 'kept'],
  [kinds[1], 'new'],
] as const)(
  'a reload of workers loses no request (security rule 21): %o, %s connections',
  async (kind, connections) => {
    const service = await serve(['--workers', '2'], await newSite(kind.prepare), { isService: true });
    onTestFinished(async () => void (await service.stop()));
    const before = await workersOf(service);
    const { lost, answered } = await loadWhile({ port: service.port, connections }, () => reload(service));
    expect(lost).toEqual([]);
    expect(answered).toBeGreaterThan(100);
    const after = await workersOf(service);
    expect([before.length, after.length, after.filter((id) => before.includes(id))]).toEqual([2, 2, []]);
  },
);

test.each([
  ['one process', 'new', []],
  ['workers', 'kept', ['--workers', '2']],
] as const)(
  'a restart of %s behind a socket that stays open loses no request on %s connections',
  async (_, connections, args) => {
    const service = await startWithSocket(['--url', site.url, ...args], await newSite(async () => ({})));
    onTestFinished(() => service.stop());
    const { lost } = await loadWhile({ port: service.port, connections }, service.restart);
    expect(lost).toEqual([]);
  },
);

test('a stop and a start on a port of its own refuses what comes between (positive control)', async () => {
  const env = await newSite(async () => ({}));
  const port = await freePort();
  const start = () => serve(['--port', String(port)], env);
  let process = await start();
  onTestFinished(async () => void (await process.stop()));
  const { lost } = await loadWhile({ port, connections: 'new' }, async () => {
    await process.stop();
    process = await start();
  });
  expect(lost).toContain('ECONNREFUSED');
});

async function reload(service: Process): Promise<void> {
  const count = () => service.output().split('Gantry reloaded').length;
  const before = count();
  service.child.kill('SIGHUP');
  await expect.poll(count, { timeout: 120_000 }).toBe(before + 1);
}

async function workersOf({ child }: Process): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(child.pid)]);
  return stdout.trim().split('\n').map(Number);
}
