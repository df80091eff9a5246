import { join } from 'node:path';
import { memberExists, writeSetting } from '@gantry/service';
import { type Database, openSqlite, openSqliteCopy, withCopies } from '@gantry/store';
import type { UnsignedRead } from '@gantry/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openEmptyPostgres } from '../../../store/test/postgres.ts';
import { installApp, uninstallApp } from '../apps.ts';
import { databases } from '../databases.ts';
import { ask } from '../oauth-client.ts';
import { appIds, askers, level, members, openWorld, type Question, questions, worlds } from '../random-worlds.ts';
import { openSite, type Reply, type Site, send, serviceOf, village } from '../site.ts';

const reads = [
  '/people/@me/@self',
  '/people/2/@self?fields=@all',
  '/people/@me/@friends',
  '/people/2/@friends',
  '/people/2/@all/3',
  '/people/1,2,3/@self',
  '/activities/@me/@self',
  '/activities/2/@self',
  '/activities/@me/@friends',
  '/appData/@me/@self/@app',
  '/appData/2/@self/@app',
  '/appData/@me/@friends/@app',
  '/albums/@me/@self',
  '/albums/2/@self',
  '/albums/@me/@friends',
  '/mediaitems/2/@self/a2',
];

/**
 * Operations whose text is hashed, since too many versions would count; only a signed request does.
 */
const hashed: ReadonlySet<string> = new Set([
  '/activities/@me/@friends',
  '/appData/@me/@friends/@app',
  '/albums/@me/@friends',
]);

const world = {
  ...village,
  albums: [
    { id: 'a1', ownerId: '1', title: 'Mine' },
    { id: 'a2', ownerId: '2', title: 'Theirs' },
  ],
};

/** Changes by members and administrators, each of which affects some answers. */
const changes: readonly (readonly [name: string, change: (site: Site) => Promise<unknown>])[] = [
  ['nothing', async () => undefined],
  ['a post', (site) => site.send({ method: 'POST', path: '/activities/@me/@self', body: { title: 'new' } })],
  ['AppData', (site) => site.send({ method: 'POST', path: '/appData/@me/@self/@app', body: { k: 'new' } })],
  [
    'AppData of a friend',
    (site) => site.send({ method: 'POST', as: '2', path: '/appData/@me/@self/@app', body: { k: 'b' } }),
  ],
  ['deleted AppData', (site) => site.send({ method: 'DELETE', path: '/appData/@me/@self/@app' })],
  ['a removed app', (site) => uninstallApp(site.db, { appId: 'notes', memberId: '2' })],
  ['a new app', (site) => installApp(site.db, { appId: 'photos', memberId: '2', visibility: 'private' })],
  ['a name', (site) => site.add({ members: [{ id: '2', displayName: 'Renamed' }] })],
  ['a block', (site) => site.add({ blocks: [['2', '1']] })],
  ['a friendship', (site) => site.add({ friendships: [['1', '5']] })],
  ['the time zone', (site) => writeSetting(site.db, 'timeZone', 'Asia/Tokyo')],
  ['the page size', (site) => writeSetting(site.db, 'pageSize', '1')],
];

describe.each(databases)('validators on $name', ({ open, name }) => {
  test.each(changes)('after %s, another text has another validator (contract §3)', async (name, change) => {
    const site = await openSite(open, world);
    const before = await Promise.all(reads.map((path) => site.get(path)));
    await change(site);
    const again = await Promise.all(
      reads.map((path, index) =>
        site.get(path, { headers: { 'if-none-match': before[index]?.headers.get('etag') ?? '""' } }),
      ),
    );
    const fresh = await Promise.all(reads.map((path) => site.get(path)));
    for (const [index, path] of reads.entries()) {
      const isSame = fresh[index]?.text === before[index]?.text && fresh[index]?.status === before[index]?.status;
      const status = again[index]?.status;
      if (!isSame) expect(status, `${path} after ${name}`).toBe(fresh[index]?.status);
      else if (name === 'nothing' && status !== 403) expect(status, path).toBe(304); // the control
    }
  });

  test.each(changes)(
    'after %s, the site’s own proxy learns of it without a signature (contract §3)',
    async (name, change) => {
      const site = await openSite(open, world);
      const cached = await Promise.all(
        reads.map(async (path) => ({ path, etag: (await site.get(path)).headers.get('etag') ?? '""' })),
      );
      await change(site);
      for (const { path, etag } of cached) {
        const { status } = await site.get(path, { headers: { 'if-none-match': etag } });
        const read = { as: '1', key: 'notes-container' };
        const isConfirmed = await site.service.confirms(unsignedRead(path, { ...read, etag }));
        expect(isConfirmed, `${path} after ${name}`).toBe(status === 304 && !hashed.has(path));
        const fresh = await site.get(path);
        const unsigned = await site.service.answerUnsigned(unsignedRead(path, read));
        if (fresh.status !== 401) expect(unsigned).toMatchObject({ status: fresh.status, body: fresh.text });
        else expect(unsigned).toBeUndefined(); // the signed request says so
      }
    },
  );

  test('an age has another validator on the birthday, without any change in the database (contract §3)', async () => {
    const site = await openSite(open, world);
    const path = '/people/@me/@self?fields=age';
    const today = await site.get(path);
    site.nowMs += 24 * 3600 * 1000;
    const tomorrow = await site.get(path, { headers: { 'if-none-match': today.headers.get('etag') ?? '' } });
    expect([today.json.entry, tomorrow.json.entry]).toMatchObject([{ age: 35 }, { age: 36 }]);
  });

  test('a write of one member leaves the validators of others alone', async () => {
    const site = await openSite(open, world);
    const etag = async () => (await site.get('/people/@me/@friends')).headers.get('etag');
    const before = await etag();
    await site.send({ method: 'POST', as: '3', path: '/activities/@me/@self', body: { title: 'x' } });
    await site.send({ method: 'POST', as: '2', path: '/appData/@me/@self/@app', body: { k: 'v' } });
    expect(await etag()).toBe(before);
  });

  test('a validator of another site does not open this one: 404 stays 404 (contract §3)', async () => {
    const site = await openSite(open, world);
    const etag = (await site.get('/people/5/@self')).headers.get('etag') ?? '';
    await site.add({ blocks: [['5', '1']] });
    const other = await openSite(open, { ...world, blocks: [['5', '1']] });
    for (const one of [site, other]) {
      expect((await one.get('/people/5/@self', { headers: { 'if-none-match': etag } })).status).toBe(404);
    }
  });

  test('in random worlds, after any change and for every requester, 304 means an unchanged text (contract §3, §6)', async () => {
    const seen = { unchanged: 0, changed: 0, confirmed: 0, unsigned: 0 };
    const step = fc.record({ question: questions, other: askers, happens: fc.array(act, { maxLength: 2 }) });
    await fc.assert(
      fc.asyncProperty(worlds, fc.array(step, { minLength: 4, maxLength: 4 }), async (world, steps) => {
        const site = await openWorld(open, world);
        for (const { question, other, happens } of steps) {
          const before = await Promise.all(
            pathsOf(question).map(async (path) => ({ path, first: await site.get(path, signed(question)) })),
          );
          for (const happen of happens) await happen(site);
          // All at once: a database server answers several connections while one would wait.
          await Promise.all(
            before.map(async ({ path, first }) => {
              const etag = first.headers.get('etag') ?? '"none"';
              for (const asker of [question, { ...question, ...other }]) {
                const again = await site.get(path, { ...signed(asker), headers: { 'if-none-match': etag } });
                const fresh = await site.get(path, signed(asker));
                const isSame = fresh.status === 200 && fresh.text === first.text;
                if (again.status !== 304) expect([again.status, again.text]).toEqual([fresh.status, fresh.text]);
                else expect([path, asker, fresh.status, fresh.text]).toEqual([path, asker, first.status, first.text]);
                const unsigned = await site.service.answerUnsigned(unsignedRead(path, signed(asker)));
                if (unsigned) {
                  const { status, headers, body } = unsigned;
                  expect([status, body, asker.way]).toEqual([fresh.status, fresh.text, 'container']);
                  expect(headers).toEqual(headersOf(fresh, headers));
                  seen.unsigned += 1;
                }
                if (await site.service.confirms(unsignedRead(path, { ...signed(asker), etag }))) {
                  expect([again.status, asker.way]).toEqual([304, 'container']);
                  seen.confirmed += 1;
                }
                if (isSame && happens.length === 0 && asker === question) expect(again.status).toBe(304);
                seen[again.status === 304 ? 'unchanged' : 'changed'] += 1;
              }
            }),
          );
        }
        await site.db.close();
      }),
      { numRuns: name === 'SQLite' ? 80 : 15 },
    );
    expect(seen.unchanged).toBeGreaterThan(100);
    expect(seen.changed).toBeGreaterThan(100);
    expect(seen.confirmed).toBeGreaterThan(50);
    expect(seen.unsigned).toBeGreaterThan(100);
  });
});

/** A site over a database with a copy, which stays as it is when the site has opened. */
async function openSiteWithCopy(isTrusted = false) {
  const db = openSqlite({ file: ':memory:' });
  const asked = { count: 0 };
  let behind: Database = db;
  const copy: Database = {
    ...db,
    query: (statement) => {
      asked.count++;
      return behind.query(statement);
    },
  };
  const routed = withCopies(db, [copy]);
  const blind: Database = { ...routed, copies: { find: async () => copy } };
  const site = await openSite(async () => (isTrusted ? blind : routed), world);
  behind = openSqliteCopy({ content: db.bytes(), file: join(site.mediaFolder, 'copy.db') });
  asked.count = 0;
  const alone = await serviceOf({ db, mediaFolder: site.mediaFolder });
  /** Resolves with the reads that a site without copies answers otherwise. */
  async function differing(): Promise<readonly string[]> {
    const paths = reads.filter((path) => !hashed.has(path)); // those need the log of a PostgreSQL
    const same = await Promise.all(
      paths.map(async (path) => {
        const [ours, right] = [await site.get(path), await send(alone, { path, timestamp: site.nowMs / 1000 })];
        return ours.status === right.status && ours.text === right.text;
      }),
    );
    return paths.filter((_, index) => !same[index]);
  }
  return { site, asked, differing };
}

describe('reads where a copy is behind (docs/decisions/0092-reads-from-standbys.md)', () => {
  test.each(changes)('after %s, each is that of the database', async (name, change) => {
    const { site, asked, differing } = await openSiteWithCopy();
    await change(site);
    asked.count = 0;
    expect(await differing()).toEqual([]);
    expect(asked.count).toBeGreaterThan(name === 'nothing' ? reads.length : 0);
  });

  test('control: a copy that is not asked whether it is current gives old answers', async () => {
    const { site, differing } = await openSiteWithCopy(true);
    await site.add({ members: [{ id: '2', displayName: 'Renamed' }] });
    expect(await differing()).toContain('/people/@me/@friends');
  });

  test('PostgreSQL: a server that is no standby answers no streams of friends', async () => {
    const db = await openEmptyPostgres();
    let asked = 0;
    const copy: Database = {
      ...db,
      query: (statement) => {
        asked++;
        return db.query(statement);
      },
      close: async () => {},
    };
    const site = await openSite(async () => withCopies(db, [copy]), world);
    expect((await site.get('/activities/@me/@friends')).status).toBe(200);
    expect(asked).toBe(4); // four looks whether it has replayed everything
    expect((await site.get('/activities/@me/@self')).status).toBe(200);
    expect(asked).toBeGreaterThan(5); // its versions, and the activities
  });
});

/** Returns a read as the proxy in the same process asks for it. */
function unsignedRead(
  path: string,
  { as, key, etag }: { readonly as: string; readonly key: string; readonly etag?: string },
): UnsignedRead {
  return { rawTarget: `/social/rest${path}`, consumerKey: key, requestorId: as, etag };
}

/** Returns the headers of a reply that have the names of `like`. */
function headersOf({ headers }: Reply, like: Readonly<Record<string, string>>): Record<string, string | null> {
  return Object.fromEntries(Object.keys(like).map((name) => [name, headers.get(name)]));
}

/** Signs 2-legged requests; the tests of tokens cover 3-legged ones. */
function signed({ viewer, way, app }: Pick<Question, 'viewer' | 'way' | 'app'>) {
  const keys = { container: `container-${app}`, app: `app-${app}`, member: `member-${viewer}` } as const;
  return { as: viewer, key: way in keys ? keys[way as keyof typeof keys] : 'admin-any' };
}

function pathsOf({ guids, pids, album }: Question): readonly string[] {
  return [
    `/people/${guids}/@self?fields=@all`,
    `/people/${guids[0]}/@all/${pids}?fields=@all&format=xml`,
    `/people/${guids}/@friends?fields=age,aboutMe`,
    `/people/${guids}/@friends?filterBy=hasApp&count=1`,
    `/activities/${guids}/@self`,
    `/activities/${guids}/@friends/@app`,
    `/appData/${guids}/@self/@app`,
    `/appData/${guids}/@friends/@app`,
    `/albums/${guids}/@self`,
    `/albums/${guids}/@friends`,
    `/mediaitems/${guids}/@self/${album}?format=atom`,
  ];
}

type Act = (site: Site) => Promise<unknown>;

const member = fc.constantFrom(...members);
const memberAndApp = fc.record({ memberId: member, appId: fc.constantFrom(...appIds) });

const numbered = (prefix: string) => fc.integer({ min: 8, max: 12 }).map((n) => `${prefix}${n}`);
const title = fc.constantFrom('one', 'other');

/** Records of a site's own member table: things change, move to another member, or are removed. */
const records = fc.oneof(
  fc.tuple(member, level, level).map(([id, age, aboutMe]) => ({
    ...{ kind: 'member', id, displayName: 'New', aboutMe: 'new', birthday: '2001/01/01' },
    visibility: { age, aboutMe },
  })),
  fc.constantFrom('3', '4').map((id) => ({ kind: 'member', id, deleted: true })),
  fc.tuple(member, member).map((pair) => ({ kind: 'friendship', members: pair })),
  fc.tuple(member, member).map((pair) => ({ kind: 'block', members: pair })),
  fc.tuple(memberAndApp, level).map(([install, visibility]) => ({ kind: 'install', ...install, visibility })),
  fc.record({ id: numbered(''), userId: member, title }).map((activity) => ({
    ...{ kind: 'activity', postedTime: '2026-05-01T09:00:00Z' },
    ...activity,
  })),
  memberAndApp.map((owner) => ({ kind: 'appData', ...owner, data: { k: 'newer' } })),
  fc.record({ id: numbered('a'), ownerId: member, title, visibility: level }).map((album) => ({
    kind: 'album',
    ...album,
  })),
  fc.record({ id: numbered('m'), albumId: numbered('a'), visibility: level }).map((item) => ({
    ...{ kind: 'mediaItem', url: '/new.jpg' },
    ...item,
  })),
  fc.constantFrom('Town', 'Village').map((name) => ({ kind: 'site', name })),
);

/** Sends records as a site does; those that cannot be stored change nothing. */
async function keep(site: Site, sent: readonly object[]): Promise<void> {
  const { status } = await ask(site, {
    path: '/gantry/admin/records',
    method: 'POST',
    consumer: { key: 'admin-any', secret: 'secret' },
    body: JSON.stringify(sent),
    signsBody: true,
  });
  expect([200, 400]).toContain(status);
}

/** Actions of members and administrators, and passing time. */
const act: fc.Arbitrary<Act> = fc.oneof(
  memberAndApp.map(({ memberId: as, appId }): Act => {
    const body = { title: 'new' };
    return (site) => site.send({ method: 'POST', path: '/activities/@me/@self', as, key: `container-${appId}`, body });
  }),
  memberAndApp.map(({ memberId: as, appId }): Act => {
    const path = '/appData/@me/@self/@app';
    return (site) => site.send({ method: 'POST', path, as, key: `container-${appId}`, body: { k: 'new' } });
  }),
  memberAndApp.map(({ memberId: as, appId }): Act => {
    const path = '/appData/@me/@self/@app';
    return (site) => site.send({ method: 'DELETE', path, as, key: `container-${appId}` });
  }),
  memberAndApp.map(
    (install): Act =>
      async (site) =>
        (await memberExists(site.db, install.memberId)) && uninstallApp(site.db, install),
  ),
  fc.tuple(memberAndApp, level).map(
    ([install, visibility]): Act =>
      async (site) =>
        (await memberExists(site.db, install.memberId)) && installApp(site.db, { ...install, visibility }),
  ),
  {
    weight: 8,
    arbitrary: fc.array(records, { minLength: 1, maxLength: 3 }).map((sent): Act => {
      return (site) => keep(site, sent);
    }),
  },
  fc.integer({ min: 1, max: 400 }).map(
    (days): Act =>
      async (site) => {
        site.nowMs += days * 86_400_000;
      },
  ),
  fc.constantFrom('UTC', 'Asia/Tokyo').map(
    (zone): Act =>
      (site) =>
        writeSetting(site.db, 'timeZone', zone),
  ),
  fc.constantFrom('1', '20').map(
    (size): Act =>
      (site) =>
        writeSetting(site.db, 'pageSize', size),
  ),
);
