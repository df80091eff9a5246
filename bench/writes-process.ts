// The server of the measured writes: the service over SQLite behind the adapter of `gantry serve`.
// Its argument makes writes share commits (`grouped`) or not (`single`), which Gantry offers no
// user.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '@gantry/server';
import { createService, importWorld, openNonceLog, serviceMigrations } from '@gantry/service';
import { migrate, openSqlite } from '@gantry/store';
import { idsOfWriters, writers, writersSite } from './writers-site.ts';

const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-writes-'));
const db = openSqlite({ file: join(folder, 'gantry.db'), grouping: process.argv[2] !== 'single' });
await migrate(db, { name: 'service', migrations: serviceMigrations });
const secretKey = new Uint8Array(32).fill(7);
await importWorld(db, writersSite(idsOfWriters(writers)), { folder, mediaFolder: folder, secretKey });
const nonces = await openNonceLog(join(folder, 'nonces'));
const { promise: ready, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof createService>>>();
const server = await listen({
  port: 0,
  host: '127.0.0.1',
  fetch: async (request, rawTarget) => (await ready).handle(request, rawTarget),
});
const publicUrl = `http://127.0.0.1:${server.port}`;
const service = await createService({ db, nonces, publicUrl, secretKey, mediaFolder: folder });
resolve(service);

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system });
});
process.once('disconnect', async () => {
  await server.close();
  await service.close();
  await db.close();
  await rm(folder, { recursive: true });
});
process.send?.({ url: publicUrl });
