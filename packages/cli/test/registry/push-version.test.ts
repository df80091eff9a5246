import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFolder, type VersionSource } from '@gantry/proxy';
import { sql } from '@gantry/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Client,
  type DeliverySite,
  databases,
  openDeliverySite,
} from '../../../server/test/registry/delivery-site.ts';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { pushVersion } from '../../src/registry/push-version.ts';
import { type RegistryClient, SiteRefusal } from '../../src/registry/site-client.ts';

let site: DeliverySite;
const folder = folderForFile();
beforeAll(async () => {
  site = await openDeliverySite(databases[0]);
});
afterAll(() => site.close());

/** A client that counts chunks, and may break off before one of them. */
function clientFor({ ask }: Client, { breaksAt = Number.POSITIVE_INFINITY } = {}) {
  const puts: string[] = [];
  const told = async <Answer>(asked: ReturnType<Client['ask']>) => {
    const { status, json } = await asked;
    if (status >= 400) throw new SiteRefusal(status, json.error?.message ?? '');
    return json as Answer;
  };
  const client: RegistryClient = {
    get: (path) => told(ask('GET', path)),
    post: (path, body) => told(ask('POST', path, body)),
    async put(path, bytes) {
      puts.push(path);
      if (puts.length >= breaksAt) throw new SiteRefusal(0, 'The connection is gone.');
      await told(ask('PUT', path, bytes));
    },
  };
  return { client, puts };
}

async function source(name: string, files: number): Promise<VersionSource> {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, 'gadget.json'), JSON.stringify({ name, page: 'index.html' }));
  await writeFile(join(path, 'index.html'), `<!doctype html><title>${name}</title>`);
  for (let index = 0; index < files; index++)
    await writeFile(join(path, `${index}.js`), `export default '${name} ${index}';`);
  return readFolder(path);
}

test('a push that broke off at any chunk leaves no version, and goes on where it was', async () => {
  const key = await site.client('live', ['broken']);
  const files = await source('broken', 6);
  const all = 8;
  let stored = 0;
  for (let breaksAt = 1; stored < all; breaksAt = 3) {
    const { client, puts } = clientFor(key, { breaksAt });
    const push = { app: 'broken', source: files, commit: {} };
    await expect(pushVersion(client, push)).rejects.toThrow('The connection is gone.');
    expect(await site.gantry.stores.db.query(sql`select * from app_versions`)).toEqual([]);
    stored += Math.min(puts.length, breaksAt) - 1;
    if (breaksAt === 3 && stored + 2 >= all) break;
  }
  const { client, puts } = clientFor(key);
  const progress: number[][] = [];
  const pushed = await pushVersion(client, {
    ...{ app: 'broken', source: files, commit: {} },
    progress: (sent, missing) => progress.push([sent, missing]),
  });
  expect(pushed).toMatchObject({ done: 'registered', state: 'live', files: all });
  expect(puts.length).toBeLessThan(4);
  expect(progress.at(-1)?.[0]).toBe(progress.at(-1)?.[1]);
});

test('chunks that went away before the commit are sent again', async () => {
  const key = await site.client('live', ['swept']);
  const { client, puts } = clientFor(key);
  const files = await source('swept', 2);
  let swept = false;
  const sweeping: RegistryClient = {
    ...client,
    async post<Answer>(path: string, body: object) {
      if (path.endsWith('/versions') && !swept) {
        swept = true;
        await site.gantry.stores.db.query(sql`
          delete from app_chunks where not exists (select 1 from app_version_chunks where chunk = app_chunks.digest)`);
      }
      return client.post<Answer>(path, body);
    },
  };
  expect(await pushVersion(sweeping, { app: 'swept', source: files, commit: {} })).toMatchObject({
    done: 'registered',
  });
  expect(puts).toHaveLength(8);
});

test('a conflict that is none of chunks is not tried again', async () => {
  const key = await site.client('preview', ['unknown']);
  const { client, puts } = clientFor(key);
  const push = { app: 'unknown', source: await source('unknown', 0), commit: {} };
  await expect(pushVersion(client, push)).rejects.toThrow('There is no app unknown yet');
  expect(puts).toHaveLength(2);
});
