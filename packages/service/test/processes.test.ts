import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, openNonceLog } from '@gantry/service';
import { openSqlite } from '@gantry/store';
import { expect, test } from 'vitest';
import { openSite, publicUrl, secretKey, send, start, village } from './site.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'gantry-service-'));

test('of posts in parallel through two connections, one is stored (contract §4)', async () => {
  const file = join(newFolder(), 'gantry.db');
  const site = await openSite(async () => openSqlite({ file }), village);
  const options = { publicUrl, secretKey, mediaFolder: site.mediaFolder, now: () => start };
  const services = await Promise.all(
    Array.from({ length: 4 }, () =>
      openNonceLog(`${file}.nonces`).then((nonces) => createService({ ...options, db: openSqlite({ file }), nonces })),
    ),
  );
  const posts = services.flatMap((service) => [1, 2, 3].map(() => service));
  const replies = await Promise.all(
    posts.map((service) =>
      send(service, { method: 'POST', path: '/activities/@me/@self', body: { title: 'x' }, timestamp: start / 1000 }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(500)]);
  expect((await site.get('/activities/@me/@self')).json.totalResults).toBe(1);
});

test('a nonce is used up for every service on the same folder, and after reopening (contract §5)', async () => {
  const folder = newFolder();
  const site = await openSite(async () => openSqlite({ file: ':memory:' }), village);
  const options = { db: site.db, publicUrl, secretKey, mediaFolder: site.mediaFolder, now: () => start };
  const status = async () => {
    const service = await createService({ ...options, nonces: await openNonceLog(folder, { now: () => start }) });
    const reply = await send(service, { path: '/people/@me/@self', nonce: 'once', timestamp: start / 1000 });
    await service.close();
    return reply.status;
  };
  expect([await status(), await status(), await status()]).toEqual([200, 401, 401]);
});

test('a nonce stays used after kill -9 (security rule 22, docs/decisions/0004-nonces.md)', async () => {
  const folder = newFolder();
  const use = { consumerKey: 'k', token: '', timestamp: Math.floor(Date.now() / 1000), nonce: 'n' };
  const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    const { openNonceLog } = await import(${source('../src/nonce-log.ts')});
    const nonces = await openNonceLog(${JSON.stringify(folder)});
    console.log(await nonces.consume(${JSON.stringify(use)}));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    expect(String(await once(child.stdout, 'data'))).toBe('fresh\n');
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');
  expect(await (await openNonceLog(folder)).consume(use)).toBe('used');
});
