import { type AppStatus, type HistoryAnswer, listAudit, listVersions, type VersionReport } from '@gantry/proxy';
import { sql } from '@gantry/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addApp, dropApp, listRegistered } from '../../src/index.ts';
import { type Client, type DeliverySite, databases, listed, openDeliverySite, quiz } from './delivery-site.ts';

describe.each(databases)('delivery over HTTP on $name', (kind) => {
  let site: DeliverySite;
  beforeEach(async () => {
    site = await openDeliverySite(kind);
  });
  afterEach(() => site.close());

  const liveOf = async (client: Client, app = 'quiz') =>
    (await client.ask<AppStatus>('GET', `/apps/${app}`)).json.live?.version;
  const audit = async (app = 'quiz') =>
    (await listAudit(site.gantry.stores.db, { app })).map(({ action, outcome, actor }) => [action, outcome, actor]);

  test('a first push with a live key registers the app, and a second one is live at once (decision 89)', async () => {
    const client = await site.client('live');
    const first = await client.push('quiz', quiz({ version: '1.0.0', uses: ['people.get'] }));
    expect([first.status, first.json.error]).toEqual([200, undefined]);
    expect(first.json).toMatchObject({
      ...{ app: 'quiz', name: 'Quiz', label: '1.0.0', state: 'live', done: 'registered', files: 2 },
      madeBy: `key:${client.id}`,
      difference: { from: null, permissions: { added: [{ name: 'people', required: true }] } },
    });
    site.clock.nowMs += 1_000;
    const second = await client.push('quiz', quiz({ version: '1.1.0', uses: ['people.get'] }));
    expect(second.json).toMatchObject({ state: 'live', done: 'live', label: '1.1.0' });
    const [app] = await listRegistered(site.gantry.stores);
    expect(app).toMatchObject({ id: 'quiz', state: 'active', trusted: false, manifest: { version: '1.1.0' } });
    expect((await client.push('quiz', quiz({ version: '1.1.0', uses: ['people.get'] }))).json.done).toBe('unchanged');
    expect(await liveOf(client)).toBe(second.json.version);
  });

  test('a version is served once it is live or accepted, and not while it waits (decision 88)', async () => {
    const [author, owner] = [await site.client('approval'), await site.client('live')];
    const { version } = (await author.push('quiz', quiz())).json;
    const statusOf = async (path: string) => (await site.fetch(`/gantry/apps/quiz/${path}`)).status;
    expect([await statusOf('index.html'), await statusOf(`@${version}/index.html`)]).toEqual([404, 404]);
    await owner.ask('POST', `/apps/quiz/versions/${version}/approve`, {});
    expect([await statusOf('index.html'), await statusOf(`@${version}/index.html`)]).toEqual([200, 200]);
    site.clock.nowMs += 1_000;
    const next = (await author.push('quiz', quiz({ version: '2.0.0' }))).json;
    expect(await statusOf(`@${next.version}/index.html`)).toBe(404);
    await owner.ask('POST', `/apps/quiz/versions/${next.version}/refuse`, {});
    expect([await statusOf(`@${next.version}/index.html`), await statusOf(`@${version}/index.html`)]).toEqual([
      404, 200,
    ]);
  });

  test('only what the site lacks is sent, whichever app brought it', async () => {
    const client = await site.client('live', ['quiz', 'dice']);
    await client.push('quiz', quiz({}, { 'shared.js': 'export {};' }));
    const { list } = listed(quiz({ name: 'Dice' }, { 'shared.js': 'export {};' }));
    const { json } = await client.ask('POST', '/apps/dice/missing', { files: list.files });
    const manifest = list.files.find(({ path }) => path === 'gadget.json')?.digest;
    expect(json).toEqual({ version: list.digest, missing: [manifest] });
  });

  test('with an approval key a new app waits, and its approval registers it (decision 89)', async () => {
    const [author, owner] = [await site.client('approval'), await site.client('live')];
    const pushed = await author.push('quiz', quiz());
    expect(pushed.json).toMatchObject({ state: 'waiting', done: 'waiting' });
    expect(await listRegistered(site.gantry.stores)).toEqual([]);
    const status = (await author.ask<AppStatus>('GET', '/apps/quiz')).json;
    expect(status).toMatchObject({ state: 'unknown', name: 'Quiz', may: 'approval', waiting: [{ name: 'Quiz' }] });
    expect(status.live).toBeUndefined();

    const path = `/apps/quiz/versions/${pushed.json.version}`;
    expect((await author.ask('POST', `${path}/approve`, {})).status).toBe(403);
    site.clock.nowMs += 1_000;
    const approved = await owner.ask<VersionReport>('POST', `${path}/approve`, {});
    expect([approved.status, approved.json]).toMatchObject([200, { state: 'live', decidedBy: `key:${owner.id}` }]);
    expect(await listRegistered(site.gantry.stores)).toMatchObject([{ id: 'quiz', registration: 'first' }]);
    site.clock.nowMs += 1_000;
    expect((await owner.ask('POST', `${path}/approve`, {})).status).toBe(409);
    expect((await audit()).filter(([action]) => action === 'approve')).toEqual([
      ['approve', 'refused', `key:${owner.id}`],
      ['approve', 'done', `key:${owner.id}`],
      ['approve', 'refused', `key:${author.id}`],
    ]);
  });

  test('a next version waits while the one before stays live, and is compared with it', async () => {
    const [author, owner] = [await site.client('approval'), await site.client('live')];
    const first = await owner.push('quiz', quiz({ uses: ['people.get'] }));
    site.clock.nowMs += 1_000;
    const next = await author.push(
      'quiz',
      quiz({ uses: ['people.get', 'activities.get'], hosts: ['https://a.example'] }),
    );
    expect(next.json).toMatchObject({
      state: 'waiting',
      difference: {
        from: first.json.version,
        permissions: { added: [{ name: 'activities', required: true }], removed: [] },
        hosts: { added: ['https://a.example'], removed: [] },
      },
    });
    expect(await liveOf(author)).toBe(first.json.version);
    expect((await owner.ask('POST', `/apps/quiz/versions/${next.json.version}/approve`, {})).status).toBe(200);
    expect(await liveOf(author)).toBe(next.json.version);
    const [before] = await listRegistered(site.gantry.stores);
    expect(before?.registration).not.toBe('first'); // the registration stays
  });

  test('a refused version stays refused for the author, who learns why', async () => {
    const [author, owner] = [await site.client('approval'), await site.client('live')];
    const { version } = (await author.push('quiz', quiz())).json;
    const refused = await owner.ask('POST', `/apps/quiz/versions/${version}/refuse`, { reason: 'No.' });
    expect(refused).toMatchObject({ status: 200, json: { state: 'refused' } });
    const again = await author.push('quiz', quiz());
    expect([again.status, again.json.error?.message]).toMatchObject([409, expect.stringContaining('was refused on')]);
    const { changes } = (await author.ask<HistoryAnswer>('GET', '/apps/quiz/history')).json;
    expect(changes).toContainEqual(expect.objectContaining({ action: 'refuse', outcome: 'done', detail: 'No.' }));
    expect(await listRegistered(site.gantry.stores)).toEqual([]);
  });

  test('a preview is for members that there are, and never registers an app (security rule 37)', async () => {
    const [previewer, owner] = [await site.client('preview'), await site.client('live')];
    expect((await previewer.push('quiz', quiz())).status).toBe(409);
    await owner.push('quiz', quiz());
    site.clock.nowMs += 1_000;
    const next = quiz({ version: '2.0.0' });
    const nobody = await previewer.push('quiz', next, { members: ['1', 'nobody'] });
    expect([nobody.status, nobody.json.error?.message]).toMatchObject([400, expect.stringContaining('"nobody"')]);
    const offered = await previewer.push('quiz', next, { members: ['1'] });
    expect([offered.status, offered.json]).toMatchObject([200, { state: 'preview', label: '2.0.0' }]);
    const { db } = site.gantry.stores;
    expect(await db.query(sql`select member_id, accepted from app_previews`)).toEqual([
      { member_id: '1', accepted: null },
    ]);
    expect((await previewer.push('quiz', next, { as: 'live' })).status).toBe(403);
    const path = `/apps/quiz/versions/${offered.json.version}`;
    expect((await previewer.ask('POST', `${path}/preview`, { members: ['2'] })).status).toBe(200);
    expect((await owner.ask('POST', `${path}/approve`, {})).status).toBe(200);
    expect(await liveOf(owner)).toBe(offered.json.version);
  });

  test('a roll-back goes to the version before, and not across data (issue 23)', async () => {
    const client = await site.client('live');
    const versions: string[] = [];
    for (const data of [0, 0, 1]) {
      const pushed = await client.push('quiz', quiz({ version: `1.0.${versions.length}`, data }));
      versions.push(pushed.json.version);
      site.clock.nowMs += 1_000;
    }
    const [first, second, third] = versions;
    const across = await client.ask('POST', '/apps/quiz/rollback', {});
    expect([across.status, await liveOf(client)]).toEqual([409, third]);
    const pushedOld = await client.push('quiz', quiz({ version: '1.0.0' }));
    expect([pushedOld.status, await liveOf(client)]).toEqual([409, third]); // a job of CI that runs again
    const back = await client.ask<VersionReport>('POST', '/apps/quiz/rollback', { despiteData: true });
    expect([back.status, back.json.version]).toEqual([200, second]);
    expect((await client.ask<VersionReport>('POST', '/apps/quiz/rollback', { version: first })).json.state).toBe(
      'live',
    );
    expect(await audit()).toContainEqual(['rollback', 'refused', `key:${client.id}`]);
  });

  test('pause and resume act at once, and say so', async () => {
    const client = await site.client('live');
    await client.push('quiz', quiz());
    expect((await client.ask('POST', '/apps/quiz/pause', {})).json).toMatchObject({ state: 'paused' });
    expect(await listRegistered(site.gantry.stores)).toMatchObject([{ state: 'paused' }]);
    expect((await client.ask('POST', '/apps/quiz/resume', {})).json).toMatchObject({ state: 'active' });
    expect((await (await site.client('live', ['dice'])).ask('POST', '/apps/dice/pause', {})).status).toBe(404);
  });

  test('an author’s statement comes back as it was said, and nothing is made of it (security rule 36)', async () => {
    const client = await site.client('approval');
    const statement = { check: { errors: 0, warnings: 2 }, tests: { passed: 12, failed: 0 }, note: '<b>Verified</b>' };
    const { json } = await client.push('quiz', quiz(), { statement });
    expect(json.statement).toMatchObject(statement);
    const bad = await client.push('quiz', quiz({ version: '2.0.0' }), { statement: { verified: true } });
    expect([bad.status, bad.json.error?.message]).toMatchObject([400, expect.stringContaining('statement: verified')]);
  });

  test('apps that have another place are not overwritten', async () => {
    const { stores } = site.gantry;
    await addApp(stores, { id: 'quiz', url: 'https://apps.example/quiz/', title: 'Quiz' });
    const client = await site.client('live');
    const { files } = listed(quiz()).list;
    for (const path of ['/apps/quiz/missing', '/apps/quiz/versions']) {
      const remote = await client.ask('POST', path, { files });
      expect([remote.status, remote.json.error?.message]).toMatchObject([
        409,
        expect.stringContaining('its own server'),
      ]);
    }
    const removed = await site.client('live', ['old']);
    await removed.push('old', quiz());
    await dropApp(stores, 'old');
    const again = await removed.ask('POST', '/apps/old/missing', { files });
    expect([again.status, again.json.error?.message]).toMatchObject([409, expect.stringContaining('was removed')]);
  });

  test('two pushes at once are both whole, and one of them is live', async () => {
    const [a, b] = [await site.client('live'), await site.client('live')];
    await a.push('quiz', quiz());
    site.clock.nowMs += 1_000;
    const answers = await Promise.all([
      a.push('quiz', quiz({ version: '1.0.1' })),
      b.push('quiz', quiz({ version: '1.0.2' })),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.map(({ status }) => status)).toContain(200);
    const done = answers.filter(({ status }) => status === 200).map(({ json }) => json.version);
    expect(done).toContain(await liveOf(a));
  });

  test('two first pushes at once register one app', async () => {
    const [a, b] = [await site.client('live'), await site.client('live')];
    const answers = await Promise.all([
      a.push('quiz', quiz({ version: '1.0.1' })),
      b.push('quiz', quiz({ version: '1.0.2' })),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const [app, ...others] = await listRegistered(site.gantry.stores);
    expect(others).toEqual([]);
    expect(answers.filter(({ status }) => status === 200).map(({ json }) => json.version)).toContain(await liveOf(a));
    const versions = await listVersions(site.gantry.stores.db, { app: 'quiz', registration: app?.registration ?? '' });
    expect(versions.length).toBeGreaterThan(0);
  });
});
