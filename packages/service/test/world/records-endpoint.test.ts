import { addMemberKey, importLines, revokeMemberKey } from '@gantry/service';
import { sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { ask, authorized, problem } from '../oauth-client.ts';
import { ids, openSite, publicUrl, type Site, secretKey, serviceOf, village } from '../site.ts';

const path = '/gantry/admin/records';
const consumer = { key: 'admin-any', secret: 'secret' };

async function post(site: Site, records: unknown, more: Partial<Parameters<typeof ask>[1]> = {}) {
  const body = typeof records === 'string' ? records : JSON.stringify(records);
  const reply = await ask(site, { path, method: 'POST', consumer, body, signsBody: true, ...more });
  return { ...reply, json: JSON.parse(reply.text || 'null') };
}

const zed = { kind: 'member', id: '77', displayName: 'Zed' };

describe.each(databases)('records on $name', ({ open }) => {
  test('keep Gantry in step with a site’s own member table (contract §9)', async () => {
    const site = await openSite(open, village);
    const reply = await post(site, [zed, { kind: 'friendship', members: ['77', '1'] }]);
    expect(reply).toMatchObject({ status: 200, json: { records: 2, counts: { members: 1, friendships: 1 } } });
    expect(ids(await site.get('/people/@me/@friends'))).toEqual(['2', '5', '10', '77']);
    await post(site, [{ ...zed, displayName: 'Zoe' }]);
    expect((await site.get('/people/77/@self')).json.entry).toMatchObject({ displayName: 'Zoe' });
    expect((await post(site, [{ kind: 'member', id: '77', deleted: true }])).json).toEqual({
      records: 1,
      counts: { removed: 1 },
    });
    expect((await site.get('/people/77/@self')).status).toBe(404);
    expect(ids(await site.get('/people/@me/@friends'))).toEqual(['2', '5', '10']);
  });

  test('never give a member what one before them with the id decided (security rule 37)', async () => {
    const site = await openSite(open, { ...village, apps: [...village.apps, { id: 'dice', title: 'Dice', url: '' }] });
    const at = (ms: number) => new Date(site.nowMs + ms).toISOString();
    const install = (ms: number) => ({ kind: 'install', appId: 'dice', memberId: '77', changedAt: at(ms) });
    const has = async () =>
      (await site.db.query(sql`select 1 from member_app where member_id = '77' and installed = 1`)).length > 0;
    await post(site, [zed]);
    await post(site, [install(-2_000)]);
    expect(await has()).toBe(true); // control
    await post(site, [{ kind: 'member', id: '77', deleted: true }, zed]);
    // Reports that waited: accepted, so that they are not sent again, and without effect.
    expect(await post(site, [install(-2_000), install(-1_000)])).toMatchObject({ status: 200, json: { records: 2 } });
    expect(await has()).toBe(false);
    const reply = await post(site, [install(-1_000), { kind: 'friendship', members: ['77', 'nobody'] }]);
    expect(reply.json.error.errors).toMatchObject([{ index: 1 }]); // the index as sent
    await post(site, [install(60_000)]);
    expect(await has()).toBe(true);
  });

  test('come as a JSON array or as JSON Lines (contract §9)', async () => {
    const site = await openSite(open, village);
    const lines = `${JSON.stringify(zed)}\r\n\n${JSON.stringify({ kind: 'friendship', members: ['77', '1'] })}\n`;
    for (const type of ['application/x-ndjson', 'application/jsonl; charset=utf-8']) {
      expect((await post(site, lines, { headers: { 'content-type': type } })).json.records).toBe(2);
    }
    expect(await post(site, lines)).toMatchObject({ status: 400 });
    expect(await post(site, lines, { headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
    expect(await post(site, zed)).toMatchObject({
      status: 400,
      json: { error: { code: 400, message: 'The body must be an array of records.' } },
    });
    expect(await post(site, '[]')).toMatchObject({ status: 200, json: { records: 0, counts: {} } });
    const broken = await post(site, '{}\n{"kind":', { headers: { 'content-type': 'application/jsonl' } });
    expect(broken.json.error.message).toMatch(/^Line 2: /);
  });

  test('new names can be seen, and turn nothing; a world file keeps those of before (security rule 38)', async () => {
    const site = await openSite(open, village);
    const app = (title: string) => ({ kind: 'app', id: '77', title });
    const sent = await post(site, [
      { ...zed, displayName: '\u200b' },
      { ...zed, displayName: 'Zed \u202egpj' },
      app('Ann\u2066'),
      { kind: 'site', name: '\u3164' },
      { kind: 'consumer', key: 'k', secret: 's', consumerKind: 'member', memberId: '1', title: 'a\u200eb' },
    ]);
    expect(sent.json.error.errors.map(({ message }: { message: string }) => message)).toEqual([
      'member.displayName must have a visible character.',
      'member.displayName must not have invisible characters, line breaks or a pile of accents.',
      'app.title must not have invisible characters, line breaks or a pile of accents.',
      'site.name must have a visible character.',
      'consumer.title must not have invisible characters, line breaks or a pile of accents.',
    ]);
    const honest = [
      { ...zed, displayName: 'शर्\u200dमा 👩🏽\u200d👧' },
      app('شیرینی\u200cها'),
      { kind: 'site', name: 'קיי' },
    ];
    expect((await post(site, honest)).status).toBe(200);
    await site.add({ members: [{ id: '78', displayName: 'Lee \u202egpj' }] }); // the control: an import
    expect((await site.get('/people/78/@self')).json.entry).toMatchObject({ displayName: 'Lee \u202egpj' });
  });

  test('are stored all or none, and each bad one is reported by its index (contract §9)', async () => {
    const site = await openSite(open, village);
    const reply = await post(site, [zed, { kind: 'member', id: '78' }, zed, { kind: 'planet' }]);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toEqual({
      code: 400,
      message: 'Record 1: member.displayName is missing.',
      errors: [
        { index: 1, message: 'member.displayName is missing.' },
        { index: 3, message: expect.stringMatching(/^The kind of the record must be one of site, member, /) },
      ],
    });
    const missing = await post(site, [zed, { kind: 'friendship', members: ['77', 'nobody'] }]);
    expect(missing.json.error.message).toBe(
      'Record 1: friendship.members[1] names a member that does not exist: "nobody".',
    );
    const removed = await post(site, [
      { kind: 'member', id: '2', deleted: true },
      { kind: 'friendship', members: ['1', '2'] },
    ]);
    expect(removed.json.error.message).toBe('Record 1: friendship.members[1] names a member that does not exist: "2".');
    await site.add({ albums: [{ id: 'a2', ownerId: '2', title: 'Theirs' }] });
    const gone = await post(site, [
      { kind: 'mediaItem', id: 'm', albumId: 'a2', url: '/m.jpg' },
      { kind: 'member', id: '2', deleted: true },
    ]);
    expect(gone.json.error.message).toBe('Record 0: mediaItem.albumId names an album that does not exist: "a2".');
    const file = { kind: 'mediaItem', id: 'm', albumId: 'a', file: '/etc/passwd' };
    expect((await post(site, [file])).json.error.message).toBe(
      'Record 0: mediaItem.file works only in imported files: send its url.',
    );
    expect((await site.get('/people/77/@self')).status).toBe(404);
    expect((await site.get('/people/2/@self')).status).toBe(200);
  });

  test('end friendships and blocks', async () => {
    const site = await openSite(open, village);
    const tag = async () => (await site.get('/people/@me/@friends')).headers.get('etag');
    const before = await tag();
    const reply = await post(site, [
      { kind: 'friendship', members: ['10', '1'], deleted: true },
      { kind: 'block', members: ['4', '1'], deleted: true },
    ]);
    expect(reply.json.counts).toEqual({ endedFriendships: 1, endedBlocks: 1 });
    expect(ids(await site.get('/people/@me/@friends'))).toEqual(['2', '5']);
    expect(ids(await site.get('/people/10/@friends', { as: '10' }))).toEqual([]);
    expect((await site.get('/people/4/@self')).status).toBe(200);
    expect(await tag()).not.toBe(before);
    expect((await post(site, [{ kind: 'block', members: ['4', '1'], deleted: 1 }])).json.error.message).toBe(
      'Record 0: block.deleted must be true.',
    );
  });

  test('an administrator stays one through records that do not say so', async () => {
    const site = await openSite(open, village);
    await site.add({ members: [{ id: '1', displayName: 'Ann', admin: true }] });
    await post(site, [{ kind: 'member', id: '1', displayName: 'Anne' }]);
    const admins = () => site.db.query(sql`select display_name from member where admin = 1`);
    expect((await admins()).map((row) => row.display_name)).toEqual(['Anne']);
    await post(site, [{ kind: 'member', id: '1', displayName: 'Anne', admin: false }]);
    expect(await admins()).toEqual([]);
  });

  test('need an administrator’s key that may speak for any member, and no token (contract §5)', async () => {
    const site = await openSite(open, village);
    const token = await authorized(site, consumer, '1');
    const none: Partial<Parameters<typeof ask>[1]>[] = [
      { consumer: { key: 'admin', secret: 'secret' } },
      { consumer: { key: 'member-1', secret: 'secret' } },
      { consumer: { key: 'notes-container', secret: 'secret' }, parameters: [['xoauth_requestor_id', '1']] },
      { token },
    ];
    for (const call of none) {
      const reply = await post(site, [zed], call);
      expect([reply.status, problem(reply)]).toEqual([401, 'permission_denied']);
    }
    const forged = await post(site, [zed], { consumer: { key: 'admin-any', secret: 'wrong' } });
    expect([forged.status, problem(forged)]).toEqual([401, 'signature_invalid']);
    expect((await site.get('/people/77/@self')).status).toBe(404);
  });

  test('are covered by the signature, once each (security rule 16)', async () => {
    const site = await openSite(open, village);
    const unsigned = await post(site, [zed], { signsBody: false });
    expect([unsigned.status, unsigned.json.error.message]).toEqual([
      400,
      'Records must be signed with their body: send oauth_body_hash.',
    ]);
    await post(site, [zed], { nonce: 'same' });
    expect(problem(await post(site, [zed], { nonce: 'same' }))).toBe('nonce_used');
  });

  test('other methods are refused and name the right one (contract §4)', async () => {
    const site = await openSite(open, village);
    const reply = await ask(site, { path, consumer });
    expect([reply.status, reply.headers.Allow]).toEqual([405, 'POST']);
  });

  test('change the validators of what they change and no others (contract §3)', async () => {
    const site = await openSite(open, village);
    await post(site, [
      { kind: 'album', id: 'a', ownerId: '2', title: 'A' },
      { kind: 'mediaItem', id: 'm', albumId: 'a', url: '/m.jpg' },
      { kind: 'activity', id: '8', userId: '2', title: 't', postedTime: '2026-05-01T09:00:00Z' },
    ]);
    const tag = async (read: string) => (await site.get(read)).headers.get('etag');
    const reads = [
      '/people/@me/@friends',
      '/people/2/@self',
      '/activities/2/@self',
      '/albums/2/@self',
      '/mediaitems/2/@self/a',
    ];
    const changes: readonly (readonly [object, readonly string[]])[] = [
      [
        { kind: 'member', id: '3', displayName: 'Dee' },
        ['/people/2/@self', '/activities/2/@self', '/albums/2/@self', '/mediaitems/2/@self/a'],
      ],
      [
        { kind: 'member', id: '4', displayName: 'Ned' },
        ['/people/2/@self', '/activities/2/@self', '/albums/2/@self', '/mediaitems/2/@self/a'],
      ],
      [{ kind: 'member', id: '10', displayName: 'Sy' }, reads],
      [
        { kind: 'activity', id: '9', userId: '2', title: 't', postedTime: '2026-05-01T09:00:00Z' },
        ['/activities/2/@self'],
      ],
      [
        { kind: 'activity', id: '8', userId: '3', title: 't', postedTime: '2026-05-01T09:00:00Z' },
        ['/activities/2/@self'],
      ],
      [{ kind: 'mediaItem', id: 'm', albumId: 'a', url: '/n.jpg' }, ['/albums/2/@self', '/mediaitems/2/@self/a']],
      [{ kind: 'album', id: 'a', ownerId: '3', title: 'A' }, ['/albums/2/@self']],
      [{ kind: 'block', members: ['2', '1'] }, reads.slice(0, 4)],
    ];
    for (const [record, changed] of changes) {
      const before = await Promise.all(reads.map(tag));
      expect((await post(site, [record])).status).toBe(200);
      const after = await Promise.all(reads.map(tag));
      const differs = reads.filter((_, index) => before[index] !== after[index]);
      expect(differs, JSON.stringify(record)).toEqual(expect.arrayContaining([...changed]));
    }
    // Positive control: unrelated answers stay valid.
    const before = await tag('/activities/5/@self');
    await post(site, [{ kind: 'activity', id: '10', userId: '3', title: 't', postedTime: '2026-05-01T09:00:00Z' }]);
    expect(await tag('/activities/5/@self')).toBe(before);
  });

  test('come with a bearer key too, of members only, until it is revoked (decision 82)', async () => {
    const site = await openSite(open, village);
    const { id, key } = await addMemberKey(site.db, { title: 'PHP' });
    const plain = await serviceOf(site, { publicUrl: 'http://social.example' });
    const at = { bearer: key, host: 'social.example', target: path, service: site.service };
    const send = async (records: unknown, more: Partial<typeof at> = {}) => {
      const { bearer, host, target, service } = { ...at, ...more };
      const headers: Record<string, string> = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const body = Buffer.from(JSON.stringify(records));
      const header = (name: string) => headers[name];
      const { status, body: text } = await service.answer({
        method: 'POST',
        rawTarget: target,
        host,
        header,
        body,
      });
      return { status, json: JSON.parse(String(text)) };
    };
    expect(await send([zed, { kind: 'friendship', members: ['77', '1'] }])).toMatchObject({
      status: 200,
      json: { records: 2 },
    });
    for (const more of [
      { ...zed, admin: true },
      { ...zed, passwordHash: 'x' },
      { kind: 'consumer', key: 'k', secret: 's', consumerKind: 'admin', anyMember: true },
      { kind: 'site', name: 'Mine' },
    ]) {
      const reply = await send([zed, more]);
      expect([reply.status, reply.json.error.errors]).toEqual([
        400,
        [{ index: 1, message: expect.stringMatching(/^A bearer key/) }],
      ]);
    }
    expect((await send([zed], { host: 'inside.example:4400' })).status).toBe(403); // possibly plain http
    expect((await send([zed], { service: plain })).status).toBe(403);
    expect((await send([zed], { host: '127.0.0.1:4400' })).status).toBe(200);
    const { key: other } = await addMemberKey(site.db, {});
    const forged = `${id}.${other.split('.')[1]}`;
    for (const bearer of [forged, `${key}x`, id, `0000000000000000.${key.split('.')[1]}`]) {
      expect((await send([zed], { bearer })).status).toBe(401);
    }
    expect((await send([zed], { target: '/social/rest/appdata/@me/@self/@app' })).status).toBe(401);
    const inUrl = await site.service.answer({
      ...{ method: 'POST', rawTarget: `${path}?access_token=${key}`, host: new URL(publicUrl).host },
      ...{ header: () => undefined, body: Buffer.from('[]') },
    });
    expect(inUrl.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(await site.db.query(sql`select * from member_key`))).not.toContain(key.split('.')[1]);
    expect(await revokeMemberKey(site.db, id)).toBe(true);
    expect((await send([zed])).status).toBe(401);
  });

  test('wait while an import is unfinished (contract §9)', async () => {
    const site = await openSite(open, village);
    await site.db.query(sql`
      insert into unfinished_import (one, file, fingerprint, indexes_last, next_offset, next_line, records)
      values (1, 'w.jsonl', '', 0, 0, 1, 0)`);
    const reply = await post(site, [zed]);
    expect([reply.status, reply.headers['Retry-After']]).toEqual([503, '60']);
    const other = importLines(site.db, import.meta.filename, { mediaFolder: site.mediaFolder, secretKey });
    await expect(other).rejects.toThrow('The import of w.jsonl stopped after 0 records');
  });
});
