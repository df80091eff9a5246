import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '@gantry/store';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { readKeyFile } from '../../src/data/key-file.ts';
import { keysOf } from '../../src/data/key-ring.ts';
import { readSitePublicKey } from '../../src/data/site-key.ts';
import { openStores, replaceKeys, resealKeys, rotateTokenKeys, type Stores } from '../../src/index.ts';

const masterKey = Buffer.alloc(32, 1);
const otherKey = Buffer.alloc(48, 2);
let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const databases = [
  { name: 'SQLite', database: async () => join(folder, 'gantry.db') },
  {
    name: 'PostgreSQL',
    async database() {
      const schema = await createSchema();
      onTestFinished(schema.remove);
      return schema.url;
    },
  },
] as const;

const idsOf = ({ tokenKeys }: Pick<Stores, 'tokenKeys'>) => tokenKeys.map(({ id }) => id);

describe.each(databases)('keys sealed in $name (decision 96)', ({ database: create }) => {
  /** Opens a machine of the site, with a data folder of its own. */
  async function open(database: string, machine: string, key: Uint8Array | undefined = masterKey): Promise<Stores> {
    const stores = await openStores({ data: join(folder, machine), database, masterKey: key });
    onTestFinished(stores.db.close);
    return stores;
  }

  test('machines that start at once have the same keys, and no file of them', async () => {
    const database = await create();
    await (await openStores({ data: join(folder, 'first'), database })).db.close(); // the schema, for both
    rmSync(join(folder, 'first'), { recursive: true });
    const [one, two] = await Promise.all([open(database, 'one'), open(database, 'two')]);
    expect(two.secretKey).toEqual(one.secretKey);
    expect(two.tokenKeys).toEqual(one.tokenKeys);
    expect(two.publicKey).toEqual(one.publicKey);
    expect(one.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect([readdirSync(join(folder, 'one')), readdirSync(join(folder, 'two'))]).toEqual([['media'], ['media']]);
    const [row] = await one.db.query<{ sealed: string }>(sql`select sealed from site_keys`);
    expect(row?.sealed).not.toContain(Buffer.from(one.secretKey).toString('base64url'));
  });

  test('the files of a data folder are sealed as they are, and a machine without them does not begin anew', async () => {
    const database = await create();
    const data = join(folder, 'old');
    const before = await openStores({ data, database });
    await before.db.query(sql`
      insert into app_registrations (id, url, manifest, consumer_key, consumer_secret)
      values ('a', 'https://a.example/', '{}', 'k', 's')`);
    await before.db.close();
    const publicKey = await readSitePublicKey(data);
    await expect(open(database, 'new')).rejects.toThrow(/start once with GANTRY_MASTER_KEY where it is/);
    const sealed = await open(database, 'old');
    expect([sealed.secretKey, sealed.tokenKeys, sealed.publicKey]).toEqual([
      before.secretKey,
      before.tokenKeys,
      publicKey,
    ]);
    expect((await open(database, 'new')).secretKey).toEqual(before.secretKey);
  });

  test('without the master key, or with another, one line says so, and nothing is made (security rule 24)', async () => {
    const database = await create();
    const { secretKey } = await open(database, 'one');
    await expect(openStores({ data: join(folder, 'two'), database })).rejects.toThrow(
      'GANTRY_MASTER_KEY is missing: the keys of this site are sealed in its database.',
    );
    await expect(open(database, 'two', otherKey)).rejects.toThrow(/^GANTRY_MASTER_KEY does not open the keys/);
    await expect(open(database, 'two', Buffer.alloc(31))).rejects.toThrow('needs 32 or more bytes; this one has 31.');
    await expect(rotateTokenKeys({ data: folder, database }, 0)).rejects.toThrow('GANTRY_MASTER_KEY is missing');
    expect(readdirSync(join(folder, 'two'))).toEqual(['media']);
    expect((await open(database, 'one')).secretKey).toEqual(secretKey); // control
  });

  test('a rotation on one machine is read by the others, and rotations at once lose none', async () => {
    const database = await create();
    const one = await open(database, 'one');
    const place = { data: join(folder, 'two'), database, masterKey };
    expect(await rotateTokenKeys(place, 0)).toEqual(['2', '1']);
    expect((await one.readTokenKeys?.())?.map(({ id }) => id)).toEqual(['2', '1']);
    await Promise.all([1, 2, 3, 4].map((nowMs) => rotateTokenKeys(place, nowMs)));
    expect(idsOf(await open(database, 'two'))).toEqual(['6', '5', '4', '3', '2', '1']);
  });

  test('with another master key the keys stay the same, and the old one opens nothing', async () => {
    const database = await create();
    const one = await open(database, 'one');
    const place = { data: join(folder, 'one'), database, masterKey };
    await Promise.all([resealKeys(place, otherKey), rotateTokenKeys(place, 0).catch(() => {})]);
    const after = await open(database, 'one', otherKey);
    expect([after.secretKey, after.publicKey]).toEqual([one.secretKey, one.publicKey]);
    await expect(one.readTokenKeys?.()).rejects.toThrow('GANTRY_MASTER_KEY does not open the keys');
    await expect(rotateTokenKeys(place, 0)).rejects.toThrow('GANTRY_MASTER_KEY does not open the keys');
    expect(await rotateTokenKeys({ ...place, masterKey: otherKey }, 0)).toContain('2');
  });

  test('gantry keys replace replaces sealed keys in the database (security rule 31)', async () => {
    const database = await create();
    const before = await open(database, 'one');
    await replaceKeys(before.db, { data: join(folder, 'one'), masterKey });
    const after = await open(database, 'one');
    expect(after.secretKey).not.toEqual(before.secretKey);
    expect(after.publicKey).not.toEqual(before.publicKey);
    expect(after.tokenKeys).toHaveLength(1);
    expect(readdirSync(join(folder, 'one'))).toEqual(['media']);
  });
});

test('a command for sealed keys without them is one line', async () => {
  const place = { data: folder, database: join(folder, 'gantry.db') };
  await (await openStores(place)).db.close();
  await expect(resealKeys({ ...place, masterKey }, otherKey)).rejects.toThrow(
    'No keys are sealed in this database yet',
  );
  await expect(resealKeys(place, otherKey)).rejects.toThrow('GANTRY_MASTER_KEY is missing');
  const { secretKey } = keysOf(readKeyFile(folder), 0);
  await rotateTokenKeys(place, 0);
  expect(keysOf(readKeyFile(folder), 0).secretKey).toEqual(secretKey);
});
