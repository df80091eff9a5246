import { serviceMigrations } from '@gantry/service';
import { type Database, migrate, openSqlite, StoreError, sql } from '@gantry/store';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createMemberClaims } from '../../src/members/member-claims.ts';
import { createTokenViewer } from '../../src/members/viewer-token.ts';

const key = Buffer.from('a key that site and Gantry share, 32+');
const site = 'https://social.example';
const nowS = 1_800_000_000;

async function run(wrap: (db: Database) => Database = (db) => db) {
  const db = openSqlite({ file: ':memory:' });
  await migrate(db, { name: 'service', migrations: serviceMigrations });
  const clock = { nowMs: nowS * 1000 };
  const lines: string[] = [];
  const log = { warn: (_: object, line: string) => lines.push(line) };
  const saveMember = createMemberClaims({ db: wrap(db), now: () => clock.nowMs, log });
  const viewer = createTokenViewer({ key, site, now: () => clock.nowMs, saveMember });

  return {
    db,
    clock,
    lines,
    async ask(claims: object, signing: Uint8Array = key): Promise<string | undefined> {
      const all = { sub: 'm-7', aud: site, iat: nowS, exp: nowS + 300, ...claims };
      const token = await new SignJWT(all).setProtectedHeader({ alg: 'HS256' }).sign(signing);
      return (await viewer(new Request(site, { headers: { cookie: `__Host-gantry_viewer=${token}` } })))?.id;
    },
    names: async () =>
      (await db.query<{ name: string }>(sql`select display_name as name from member`)).map(({ name }) => name),
  };
}

test('a token with a name makes its member known (ADR 38)', async () => {
  const { ask, names } = await run();
  expect(await ask({ name: 'Cy', picture: '/cy.png' })).toBe('m-7');
  expect(await names()).toEqual(['Cy']);
});

test('a token without a name saves nobody (ADR 76)', async () => {
  const { ask, names, lines } = await run();
  expect(await ask({ picture: '/cy.png' })).toBe('m-7');
  expect(await names()).toEqual([]);
  expect(lines).toEqual([]);
});

test('claims of a token that is not the site’s make no member (ADR 38)', async () => {
  const { ask, names } = await run();
  expect(await ask({ name: 'Mallory' }, Buffer.alloc(32))).toBe(undefined);
  expect(await ask({ name: 'Mallory', aud: 'https://other.example' })).toBe(undefined);
  expect(await ask({ name: 'Mallory', exp: nowS - 60 })).toBe(undefined);
  expect(await ask({ name: 'Mallory', sub: 'no id' })).toBe(undefined);
  expect(await names()).toEqual([]);
  await ask({ name: 'Cy' });
  expect(await names()).toEqual(['Cy']); // control
});

test('other claims are not the member’s: rights come from nowhere else than before', async () => {
  const { ask, db } = await run();
  await ask({ name: 'Cy', admin: true, display_name: 'x', visibility: { aboutMe: 'site' }, gender: 'male' });
  expect(await db.query(sql`select admin, gender, about_me from member`)).toEqual([
    { admin: 0, gender: '', about_me: '' },
  ]);
});

test.each([
  ['a name that is no text', { name: 7 }, 'name must be text'],
  ['a picture that is no text', { name: 'Cy', picture: {} }, 'picture must be text'],
  ['no time', { name: 'Cy', iat: undefined }, 'name needs iat, in whole seconds'],
  ['a time in parts of seconds', { name: 'Cy', iat: nowS + 0.5 }, 'name needs iat, in whole seconds'],
  ['a time in the future', { name: 'Cy', iat: nowS + 60 }, 'iat is in the future'],
  ['a name without end', { name: 'x'.repeat(4001) }, "the member's displayName must have at most 4,000 bytes"],
])('%s leaves the member as they are, and the log says why', async (_, claims, reason) => {
  const { ask, names, lines } = await run();
  expect(await ask(claims)).toBe('m-7');
  expect(await names()).toEqual([]);
  expect(lines).toEqual([`A viewer token names its member, but its name and picture were not saved: ${reason}.`]);
});

test('a clock that is ten seconds ahead is believed', async () => {
  const { ask, names } = await run();
  await ask({ name: 'Cy', iat: nowS + 9 });
  expect(await names()).toEqual(['Cy']);
});

test('a repeated introduction costs no query for a minute (security rule 25)', async () => {
  let queries = 0;
  const counted = (db: Database): Database => ({
    ...db,
    query: (statement) => {
      queries += 1;
      return db.query(statement);
    },
    batch: (statements) => {
      queries += 1;
      return db.batch(statements);
    },
  });
  const { ask, clock } = await run(counted);
  await ask({ name: 'Cy' });
  expect(queries).toBe(2);
  for (let i = 0; i < 50; i++) await ask({ name: 'Cy' });
  expect(queries).toBe(2);
  clock.nowMs += 60_000;
  await ask({ name: 'Cy' });
  expect(queries).toBe(3);
});

test('a database that takes no write refuses no token (security rule 23)', async () => {
  const full = (db: Database): Database => ({
    ...db,
    batch: () => Promise.reject(new StoreError('full', 'disk full')),
  });
  const { ask, lines } = await run(full);
  expect(await ask({ name: 'Cy' })).toBe('m-7');
  expect(await ask({ name: 'Cy' })).toBe('m-7');
  expect(lines).toEqual([
    'A viewer token names its member, but its name and picture were not saved: the database cannot be written (full).',
  ]);
});
