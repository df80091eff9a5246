import type { Installs } from '@gantry/proxy';
import { importWorld, siteChanges } from '@gantry/service';
import { type Database, sql } from '@gantry/store';
import type { Instance, InstanceAnswer } from '@gantry/wire';
import { silentLogger } from '@gantry/wire/runtime';
import { SignJWT } from 'jose';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { saveDecision } from '../../../proxy/src/grants/grants.ts';
import { createSchema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { siteHaving, siteMigrations } from '../../src/data/site-having.ts';
import { addApp, createGantry, type Gantry, type GantryOptions } from '../../src/index.ts';

const url = 'http://localhost:4400';
const key = Buffer.from('a key that site and Gantry share, 32+');
const databases: readonly { readonly name: string; readonly open: () => Promise<string | undefined> }[] = [
  { name: 'SQLite', open: async () => undefined },
  { name: 'PostgreSQL', open: async () => (await createSchema()).url },
];
const ada = { kind: 'member', id: 'ada', displayName: 'Ada' } as const;
const removal = { kind: 'member', id: 'ada', deleted: true } as const;

describe.each(databases)('a viewer without a member, on $name (security rule 37)', ({ open }) => {
  let gantry: Gantry;
  let lines: Record<string, unknown>[];
  let nowMs: number;

  async function run(options: Partial<GantryOptions> = {}): Promise<void> {
    const data = folderForTest();
    lines = [];
    nowMs = Date.now();
    gantry = await createGantry({
      ...{ data, database: await open(), url, now: () => nowMs },
      log: pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
      viewer: (request) => request.headers.get('member') ?? undefined,
      ...options,
    });
    onTestFinished(() => gantry.close());
    const manifest = { page: 'index.html', uses: ['appdata.get', 'appdata.update'] };
    await addApp(gantry.stores, { id: 'notes', url: 'https://apps.example/notes', title: 'Notes', manifest });
  }

  const signedIn = (member: string) => ({ member });

  function send(path: string, headers: object, body: unknown): Promise<Response> {
    const defaults = { 'content-type': 'application/json', 'gantry-container': '1', origin: url };
    const init = { method: 'POST', headers: { ...defaults, ...headers }, body: JSON.stringify(body) };
    return gantry.fetch(new Request(url + path, init), path);
  }

  async function post(path: string, headers: object, body: unknown): Promise<{ status: number; text: string }> {
    const response = await send(path, headers, body);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    return { status: response.status, text: isStream ? '' : await response.text() };
  }

  const openNotes = (headers: object) => post('/gantry/instances', headers, [{ app: 'notes' }]);
  async function mount(headers: object): Promise<Instance> {
    const [answer] = JSON.parse((await openNotes(headers)).text) as InstanceAnswer[];
    if (!answer || 'error' in answer) throw new Error(JSON.stringify(answer));
    return answer.ok;
  }
  const allow = (headers: object, { token, consent }: Instance) =>
    post('/gantry/grants', headers, { token, grant: consent.needed });
  const save = (headers: object, { instance, token }: Instance, text = 'hello') => {
    const call = { id: 'c', instance, operation: 'appdata.update', params: { data: { text } }, write: 'w'.repeat(22) };
    return post('/gantry/calls', headers, { tokens: { [instance]: token }, calls: [call] });
  };
  const read = (headers: object, { instance, token }: Instance) => {
    const call = { id: 'c', instance, operation: 'appdata.get', params: {} };
    return post('/gantry/calls', headers, { tokens: { [instance]: token }, calls: [call] });
  };
  const requestOf = ({ instance, token, since }: Instance) => ({ tokens: { [instance]: token }, since: [since] });
  const listen = (headers: object, gadget: Instance) => post('/gantry/events', headers, requestOf(gadget));
  const listenLong = (headers: object, gadget: Instance) => send('/gantry/events', headers, requestOf(gadget));
  const account = async (headers: Record<string, string>) => {
    const response = await gantry.fetch(new Request(`${url}/account/apps`, { headers }), '/account/apps');
    return { status: response.status, text: await response.text() };
  };

  async function rowsOf(viewer: string, db: Database = gantry.stores.db): Promise<readonly number[]> {
    const counts = ['app_grants', 'write_log', 'having_report'].map((name) =>
      db.query<{ n: number }>(sql`select count(*) as n from ${sql.names([name])} where viewer = ${viewer}`),
    );
    return (await Promise.all(counts)).map(([row]) => Number(row?.n));
  }

  /** Rows as versions before 0.2.0 stored them for any id. */
  async function leave(viewer: string): Promise<void> {
    await gantry.stores.db.batch([
      sql`
        insert into app_grants (viewer, app_id, permission, granted, manifest_digest, decided_at_ms, registration)
        select ${viewer}, id, 'appdata', 1, '', 1, registration from app_registrations`,
      sql`
        insert into write_log (viewer, app, id, digest, state, attempt, reply, at_ms)
        values (${viewer}, 'notes', 'w', '', 'done', '', '{}', ${nowMs})`,
      sql`
        insert into having_report (viewer, app_id, removes_data, changed_at_ms, is_pending, due_at_ms)
        values (${viewer}, 'notes', 0, 1, 1, 1)`,
    ]);
  }

  test('an invented id gets no gadget, no token and no page, and the log says what to do', async () => {
    await run();
    await gantry.saveRecords([ada]);
    expect((await openNotes(signedIn('ada'))).status).toBe(200); // control
    const refused = await openNotes(signedIn('ghost'));
    expect([refused.status, JSON.parse(refused.text).error.data.reason]).toEqual([403, 'NO_MEMBER']);
    expect(refused.text).toContain('is no member of this site yet');
    const page = await account(signedIn('ghost'));
    expect(page.status).toBe(403);
    expect(page.text).toContain('are no member of');
    expect((await account(signedIn('ada'))).status).toBe(200);
    expect((await openNotes({})).status).toBe(200); // a visitor
    expect(lines.map(({ msg, reason }) => [reason, msg])).toEqual([
      ['no member', expect.stringContaining('Save the member with gantry.saveRecords')],
    ]);
    expect(JSON.stringify(lines)).not.toContain('ghost');
  });

  test('a text that is no id is refused, too', async () => {
    await run();
    for (const id of ['a b', '', '../x', 'x'.repeat(300)]) {
      expect([id, (await openNotes({ member: id })).status]).toEqual([id, 403]);
    }
  });

  test('a page that was open when its member was removed decides, writes and hears nothing', async () => {
    await run({ every: () => () => {} }); // no heartbeat: the removal itself ends the stream
    await gantry.saveRecords([ada]);
    const before = await mount(signedIn('ada'));
    expect((await allow(signedIn('ada'), before)).status).toBe(200);
    expect((await save(signedIn('ada'), before)).text).toContain('"ok"');
    const { body } = await listenLong(signedIn('ada'), before);
    const heard = body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await heard?.read())?.value).toMatch(/^id: /);
    expect(await rowsOf('ada')).not.toEqual([0, 0, 0]); // control
    await gantry.saveRecords([removal]);
    let last = '';
    for (let part = await heard?.read(); part?.done === false; part = await heard?.read()) last += part.value;
    expect(last).toContain('event: end\ndata: "expired"');
    expect((await allow(signedIn('ada'), before)).status).toBe(401);
    expect((await save(signedIn('ada'), before)).text).toContain('VIEWER_CHANGED');
    expect((await listen(signedIn('ada'), before)).text).toContain('VIEWER_CHANGED');
    expect((await openNotes(signedIn('ada'))).text).toContain('NO_MEMBER');
    expect(await rowsOf('ada')).toEqual([0, 0, 0]);
  });

  test('nothing of before a removal counts for the member who gets the id later', async () => {
    await run();
    await gantry.saveRecords([ada]);
    const before = await mount(signedIn('ada'));
    await allow(signedIn('ada'), before);
    await save(signedIn('ada'), before, 'of the first');
    expect((await read(signedIn('ada'), before)).text).toContain('of the first');
    expect((await mount(signedIn('ada'))).upstream).toBe(before.upstream); // control: one member's pages share results
    await gantry.saveRecords([removal, ada]);
    const after = await mount(signedIn('ada'));
    expect(after.consent.needed).toEqual(before.consent.needed);
    expect(after.context.permissions).toEqual([]);
    expect(after.upstream).not.toBe(before.upstream); // results and waiting writes in the browser are under it
    expect((await save(signedIn('ada'), before)).text).toContain('VIEWER_CHANGED');
    expect((await allow(signedIn('ada'), before)).status).toBe(401);
    expect((await listen(signedIn('ada'), before)).status).toBe(401);
    await allow(signedIn('ada'), after);
    expect((await read(signedIn('ada'), after)).text).toContain('"ok":{"ada":{}}');
    expect((await save(signedIn('ada'), after, 'of the second')).text).toContain('"ok"'); // not the reply of the first
    const data = await gantry.stores.db.query(sql`select value from app_data where member_id = 'ada'`);
    expect(data).toEqual([{ value: 'of the second' }]);
  });

  test('rows left under an id are deleted when a member gets it, by records, import or token', async () => {
    await run({ viewer: undefined, viewerKey: key });
    const { db } = gantry.stores;
    for (const id of ['r', 't', 'u']) await leave(id);
    expect(await rowsOf('r')).toEqual([1, 1, 1]); // control
    const options = { ...gantry.stores, folder: gantry.stores.mediaFolder };
    await gantry.saveRecords([{ kind: 'member', id: 'r', displayName: 'R' }]);
    expect(await rowsOf('r')).toEqual([0, 0, 0]);
    await account(await bearer({ sub: 't', name: 'T' }));
    expect(await rowsOf('t')).toEqual([0, 0, 0]);
    expect(await rowsOf('u')).toEqual([1, 1, 1]); // control: nobody got this id
    // A member's own rows stay when their record or token comes again.
    for (const id of ['r', 't']) await leave(id);
    await gantry.saveRecords([{ kind: 'member', id: 'r', displayName: 'R2' }]);
    await account(await bearer({ sub: 't', name: 'T2' }));
    await importWorld(db, { members: [{ id: 'r', displayName: 'R3' }] }, options);
    for (const id of ['r', 't']) expect(await rowsOf(id)).toEqual([1, 1, 1]);
  });

  const bearer = async (claims: object) => {
    const nowS = Math.floor(nowMs / 1000);
    const all = { aud: url, iat: nowS, exp: nowS + 300, ...claims };
    const token = await new SignJWT(all).setProtectedHeader({ alg: 'HS256' }).sign(key);
    return { authorization: `Bearer ${token}` };
  };

  test('a token makes its member known by a name, and an unknown sub without one is nobody (ADR 38)', async () => {
    await run({ viewer: undefined, viewerKey: key });
    const status = async (claims: object) => (await openNotes(await bearer(claims))).status;
    expect(await status({ sub: 'ada' })).toBe(403);
    expect(await status({ sub: 'ada', name: 7 })).toBe(403);
    expect(await status({ sub: 'ada', name: 'x'.repeat(5_000) })).toBe(403);
    expect(await status({ sub: 'ada', name: 'Ada' })).toBe(200);
    expect(await status({ sub: 'ada', name: 7 })).toBe(200);
    expect(await status({ sub: 'ada' })).toBe(200);
  });

  test('a token from before a removal is nobody’s, whoever has the id now', async () => {
    await run({ viewer: undefined, viewerKey: key });
    const old = await bearer({ sub: 'ada', name: 'Ada' });
    const oldAndShort = await bearer({ sub: 'ada', iat: undefined });
    expect((await openNotes(old)).status).toBe(200); // control
    expect((await openNotes(oldAndShort)).status).toBe(200);
    nowMs += 5_000;
    await gantry.saveRecords([removal, ada]);
    expect((await openNotes(old)).status).toBe(403);
    expect((await openNotes(oldAndShort)).status).toBe(403);
    nowMs += 11_000; // the clocks of site and Gantry may differ by ten seconds
    expect((await openNotes(old)).status).toBe(403);
    expect((await openNotes(await bearer({ sub: 'ada' }))).status).toBe(200);
    expect((await openNotes(await bearer({ sub: 'ada', iat: undefined }))).status).toBe(200);
  });

  test('a session of the account pages ends with its member', async () => {
    await run({ viewer: undefined });
    await gantry.saveRecords([{ ...ada, password: 'open sesame' }]);
    const ask = (path: string, init: RequestInit) => gantry.fetch(new Request(url + path, init), path);
    const form = await ask('/account/sign-in', {});
    const cookie = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const token = /name="form_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
    const signedInNow = await ask('/account/sign-in', {
      method: 'POST',
      headers: { cookie: cookie(form), origin: url },
      body: new URLSearchParams({ form_token: token, member: 'ada', password: 'open sesame', return: '' }),
    });
    expect(signedInNow.status).toBe(303);
    const session = { cookie: cookie(signedInNow) };
    expect((await openNotes(session)).text).toContain('"viewer":"ada"'); // control
    await gantry.saveRecords([removal, ada]);
    expect((await openNotes(session)).text).not.toContain('"viewer"');
    expect((await ask('/account/apps', { headers: session })).headers.get('location')).toContain('/account/sign-in');
  });

  test('a decision that overtakes the removal of its member is not stored', async () => {
    await run();
    await gantry.saveRecords([ada]);
    const { db } = gantry.stores;
    const decisions = { db, changes: siteChanges, now: () => nowMs, log: silentLogger };
    const decide = async (installs: Installs, viewer: string) => {
      await saveDecision({ ...decisions, installs }, { viewer, app: 'notes', grant: ['appdata'] });
      return (await rowsOf(viewer))[0];
    };
    expect(await decide(siteHaving(db), 'ada')).toBe(1); // control
    expect(await decide({ withDecision: (_, statements) => statements }, 'naive')).toBe(1); // control
    expect(await decide(siteHaving(db), 'ghost')).toBe(0);
  });

  test('a migration deletes what ids without a member left before', async () => {
    await run();
    await gantry.saveRecords([ada]);
    for (const id of ['ada', 'ghost']) await leave(id);
    const { migrations } = siteMigrations();
    await gantry.stores.db.batch(migrations.find(({ number }) => number === 2)?.statements ?? []);
    expect([await rowsOf('ada'), await rowsOf('ghost')]).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ]);
  });
});
