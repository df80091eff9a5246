import { addRegistryKey, listAudit, listVersions, revokeRegistryKey } from '@gantry/proxy';
import { addMemberKey } from '@gantry/service';
import { sql } from '@gantry/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maxWaiting } from '../../../proxy/src/registry/deliver.ts';
import { digestOf } from '../../../proxy/src/versions/version-list.ts';
import { listRegistered } from '../../src/index.ts';
import {
  type Client,
  clientOf,
  type DeliverySite,
  databases,
  listed,
  openDeliverySite,
  quiz,
} from './delivery-site.ts';

const [sqlite] = databases;
const content = Buffer.from('export {};');
const chunk = digestOf(content);

/** A body that counts its chunks, and whose sender goes on when it is told. */
function slowBody(first: Uint8Array) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let pulled = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pulled++;
        if (pulled === 1) controller.enqueue(first);
        else {
          begin();
          await promise;
          controller.close();
        }
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, begun, finish: resolve, pulled: () => pulled };
}

const streamed = (body: ReadableStream, headers: Record<string, string>) =>
  ({ method: 'PUT', body, headers, duplex: 'half' }) as RequestInit;

describe('the registry', () => {
  let site: DeliverySite;
  beforeEach(async () => {
    site = await openDeliverySite(sqlite);
  });
  afterEach(() => site.close());

  const stored = async () =>
    (await site.gantry.stores.db.query<{ digest: string }>(sql`select digest from app_chunks`)).map(
      (row) => row.digest,
    );
  const put = (client: Pick<Client, 'key'>, body: ReadableStream, digest = chunk) =>
    site.fetch(`/gantry/registry/chunks/${digest}`, streamed(body, { Authorization: `Bearer ${client.key}` }));

  test('reads no body without a valid key (security rule 25)', async () => {
    const client = await site.client('live');
    const forged = { key: `${client.id}.${'A'.repeat(43)}` };
    const body = slowBody(content);
    expect((await put(forged, body.stream)).status).toBe(401);
    expect((await site.fetch('/gantry/registry/apps/quiz/versions', { method: 'POST', body: '{}' })).status).toBe(401);
    expect(body.pulled()).toBe(0);
    body.finish();
    const read = slowBody(content); // control
    read.finish();
    expect((await put(client, read.stream)).status).toBe(204);
    expect(read.pulled()).toBe(2);
    expect(await stored()).toEqual([chunk]);
  });

  test('streams bodies through the server, which would else have read them first', () => {
    const { streams } = site.gantry;
    expect(streams({ method: 'PUT', rawTarget: `/gantry/registry/chunks/${chunk}` })).toBe(true);
    expect(streams({ method: 'POST', rawTarget: '/gantry/registry/apps/quiz/versions?x' })).toBe(true);
    expect(streams({ method: 'POST', rawTarget: '/gantry/calls' })).toBe(false);
  });

  test('has no CORS, and takes a key from the header only (decision 82)', async () => {
    const client = await site.client('live');
    const options = await site.fetch('/gantry/registry/key', {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example' },
    });
    expect([options.status, options.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const { headers, status } = await client.ask('GET', '/key', undefined, { Origin: 'https://a.example' });
    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers.get('cache-control')).toBe('no-store');
    const inQuery = await site.fetch(`/gantry/registry/key?access_token=${client.key}&key=${client.key}`);
    expect([inQuery.status, (await inQuery.text()).includes(client.key)]).toEqual([401, false]);
  });

  test('keeps keys to their apps and to what they may, and notes the attempts', async () => {
    const [owner, author, previewer] = [
      await site.client('live'),
      await site.client('approval'),
      await site.client('preview'),
    ];
    const other = await site.client('live', ['dice']);
    const { version } = (await owner.push('quiz', quiz())).json;
    const { files } = listed(quiz()).list;
    const refusals = await Promise.all([
      other.ask('GET', '/apps/quiz'),
      other.ask('POST', '/apps/quiz/missing', { files }),
      other.ask('POST', '/apps/quiz/versions', { files }),
      other.ask('POST', '/apps/quiz/rollback', {}),
      author.ask('POST', '/apps/quiz/versions', { files, as: 'live' }),
      author.ask('POST', '/apps/quiz/versions', { files, as: 'preview' }),
      author.ask('POST', `/apps/quiz/versions/${version}/refuse`, {}),
      author.ask('POST', `/apps/quiz/versions/${version}/preview`, { members: ['1'] }),
      previewer.ask('POST', '/apps/quiz/versions', { files, as: 'approval' }),
      previewer.ask('POST', '/apps/quiz/pause', {}),
      previewer.ask('POST', '/apps/quiz/resume', {}),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual(new Array(11).fill(403));
    const noted = (await listAudit(site.gantry.stores.db, { app: 'quiz' })).filter(
      ({ outcome }) => outcome === 'refused',
    );
    expect(noted.map(({ actor }) => actor).sort()).toEqual(
      [...new Array(2).fill(other.id), ...new Array(4).fill(author.id), ...new Array(3).fill(previewer.id)]
        .map((id) => `key:${id}`)
        .sort(),
    );
    expect(await listRegistered(site.gantry.stores)).toMatchObject([{ state: 'active' }]);
  });

  test('refuses a key from the moment of its end and of its revocation', async () => {
    const [short, long] = [await site.client('live', ['quiz'], 1), await site.client('live')];
    expect((await short.ask('GET', '/key')).status).toBe(200);
    site.clock.nowMs += 86_400_000;
    const ended = await short.ask('GET', '/key');
    expect([ended.status, ended.json.error?.message]).toMatchObject([401, expect.stringMatching(/^The key ended on /)]);
    expect((await long.ask('GET', '/key')).status).toBe(200);
    await revokeRegistryKey(site.gantry.stores.db, long.id);
    expect((await long.ask('GET', '/key')).status).toBe(401);
  });

  test('stops what is on its way when a key is revoked (decision 89)', async () => {
    const client = await site.client('live');
    const body = slowBody(content);
    const sending = put(client, body.stream);
    await body.begun;
    await revokeRegistryKey(site.gantry.stores.db, client.id);
    body.finish();
    expect((await sending).status).toBe(401);
    expect(await stored()).toEqual([]);
  });

  test('takes a chunk of 256 KiB and no more, under its own digest (security rule 25)', async () => {
    const client = await site.client('live');
    const whole = Buffer.alloc(262_144, 1);
    expect((await client.ask('PUT', `/chunks/${digestOf(whole)}`, whole)).status).toBe(204);
    const large = Buffer.alloc(262_145, 1);
    expect((await client.ask('PUT', `/chunks/${digestOf(large)}`, large)).status).toBe(413);
    const announced = slowBody(content);
    const headers = { Authorization: `Bearer ${client.key}`, 'Content-Length': '262145' };
    expect((await site.fetch(`/gantry/registry/chunks/${chunk}`, streamed(announced.stream, headers))).status).toBe(
      413,
    );
    expect(announced.pulled()).toBe(0);
    announced.finish();
    for (const name of [digestOf('other'), chunk.toUpperCase(), 'x', '..']) {
      const { status } = await client.ask('PUT', `/chunks/${encodeURIComponent(name)}`, content);
      expect([400, 404], name).toContain(status);
    }
    expect(await stored()).toEqual([digestOf(whole)]);
  });

  test('makes no version of chunks that are not there, and keeps nothing of it', async () => {
    const client = await site.client('live');
    const { list, chunks } = listed(quiz());
    const early = await client.ask('POST', '/apps/quiz/versions', { files: list.files });
    expect([early.status, early.json.error?.message]).toEqual([409, '2 chunks are missing: send them first.']);
    for (const [digest, bytes] of [...chunks].slice(0, 1)) await client.ask('PUT', `/chunks/${digest}`, bytes);
    expect((await client.ask('POST', '/apps/quiz/versions', { files: list.files })).status).toBe(409);
    expect(await listRegistered(site.gantry.stores)).toEqual([]);
    expect(await site.gantry.stores.db.query(sql`select * from app_versions`)).toEqual([]);
    expect((await client.push('quiz', quiz())).status).toBe(200); // control: it goes on
  });

  test.each([
    ['no list', {}],
    ['another name', { files: [], archive: 'x' }],
    ['a list that is none', { files: 'x' }],
    ['a path that leads out', { files: [{ ...listed(quiz()).list.files[0], path: '../gadget.json' }] }],
    [
      'a digest that is not that of its chunks',
      { files: [{ ...listed(quiz()).list.files[0], digest: 'a'.repeat(64) }] },
    ],
    ['another type', { files: [{ ...listed(quiz()).list.files[0], type: 'text/html' }] }],
    ['a size beyond the bounds', { files: [{ ...listed(quiz()).list.files[0], size: 30_000_000 }] }],
    ['members beside no preview', { ...listed(quiz()).list, digest: undefined, bytes: undefined, members: ['1'] }],
  ])('refuses a commit with %s', async (_, body) => {
    const client = await site.client('live');
    const { status, json } = await client.ask('POST', '/apps/quiz/versions', body);
    expect([400, 413]).toContain(status);
    expect(json.error?.message).toBeTruthy();
    expect(await site.gantry.stores.db.query(sql`select * from app_versions`)).toEqual([]);
  });

  test('lets five versions of an app wait (security rule 34)', async () => {
    const [author, owner] = [await site.client('approval'), await site.client('live')];
    const versions: string[] = [];
    for (let index = 0; index < maxWaiting; index++) {
      const pushed = await author.push('quiz', quiz({ version: `1.0.${index}` }));
      expect(pushed.status).toBe(200);
      versions.push(pushed.json.version);
    }
    const sixth = await author.push('quiz', quiz({ version: '1.0.9' }));
    expect([sixth.status, sixth.json.error?.message]).toMatchObject([
      409,
      expect.stringContaining('approve or refuse one'),
    ]);
    expect((await author.push('quiz', quiz({ version: '1.0.0' }))).json.done).toBe('unchanged'); // one of the five
    await owner.ask('POST', `/apps/quiz/versions/${versions[0]}/refuse`, {});
    expect((await author.push('quiz', quiz({ version: '1.0.9' }))).status).toBe(200);
    const waiting = await listVersions(site.gantry.stores.db, { app: 'quiz', registration: 'first' });
    expect(waiting.filter(({ state }) => state === 'waiting')).toHaveLength(maxWaiting);
  });

  test('limits the requests of a key, and what its refusals add to the audit (security rules 34 and 35)', async () => {
    const [noisy, quiet] = [await site.client('approval'), await site.client('approval')];
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < 3_001; sent += 1) {
      const { status } = await noisy.ask('POST', '/apps/quiz/pause', {});
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 403: 3_000, 429: 1 });
    const limited = await noisy.ask('GET', '/key');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await quiet.ask('GET', '/key')).status).toBe(200);
    const [{ rows } = { rows: 0 }] = await site.gantry.stores.db.query<{ rows: number }>(
      sql`select count(*) as rows from app_audit`,
    );
    expect(rows).toBe(60);
  });

  test('receives four bodies of a key at a time, and those of others meanwhile (security rule 35)', async () => {
    const [slow, other] = [await site.client('live'), await site.client('live')];
    const bodies = Array.from({ length: 5 }, () => slowBody(content));
    const sent = bodies.map(({ stream }) => put(slow, stream));
    await Promise.all(bodies.slice(0, 4).map(({ begun }) => begun));
    const between = slowBody(content);
    between.finish();
    expect((await put(other, between.stream)).status).toBe(204);
    expect(bodies[4]?.pulled()).toBe(1); // the first bytes, and no more
    for (const { finish } of bodies) finish();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(new Array(5).fill(204));
  });

  test('says nothing of keys in answers and errors (security rule 8)', async () => {
    const client = await site.client('live');
    await client.push('quiz', quiz());
    const secret = client.key.split('.')[1] ?? '';
    const texts = await Promise.all(
      ['/key', '/apps/quiz', '/apps/quiz/history', '/apps/dice'].map(async (path) =>
        JSON.stringify((await client.ask('GET', path)).json),
      ),
    );
    expect(texts.join('')).toContain(client.id);
    expect(texts.join('')).not.toContain(secret);
  });
});

test('a key is taken over https or on this machine only (decision 82)', async () => {
  const plain = await openDeliverySite(sqlite, 'http://social.example');
  const local = await openDeliverySite(sqlite, 'http://localhost:4400');
  try {
    const client = await plain.client('live');
    const refused = await client.ask('GET', '/key');
    expect([refused.status, refused.json.error?.message]).toMatchObject([403, expect.stringContaining('https')]);
    const atHome = await local.client('live');
    expect((await atHome.ask('GET', '/key')).status).toBe(200);
    const other = {
      fetch: (path: string, init?: RequestInit) =>
        local.gantry.fetch(new Request(`http://127.0.0.1:4400${path}`, init)),
    };
    expect((await clientOf(other, atHome).ask('GET', '/key')).status).toBe(200);
    const elsewhere = {
      fetch: (path: string, init?: RequestInit) => local.gantry.fetch(new Request(`http://evil.example${path}`, init)),
    };
    expect((await clientOf(elsewhere, atHome).ask('GET', '/key')).status).toBe(421);
  } finally {
    await plain.close();
    await local.close();
  }
});

test('keys of another site, or of members, open nothing', async () => {
  const site = await openDeliverySite(sqlite);
  try {
    const ofMembers = await addMemberKey(site.gantry.stores.db, {});
    expect((await clientOf(site, ofMembers).ask('GET', '/key')).status).toBe(401);
    const { key } = await addRegistryKey(site.gantry.stores.db, { apps: ['quiz'], may: 'live' });
    const records = await site.fetch('/gantry/admin/records', {
      ...{ method: 'POST', body: '[]' },
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
    expect(records.status).toBe(401);
  } finally {
    await site.close();
  }
});
