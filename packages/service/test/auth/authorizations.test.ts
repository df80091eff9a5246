import { randomBytes } from 'node:crypto';
import { addConsumer, listConsumersOf, revokeConsumer } from '@gantry/service';
import {
  allowAuthorization,
  denyAuthorization,
  listAuthorizations,
  pendingAuthorization,
  revokeAuthorization,
} from '@gantry/service/account';
import type { Database } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { verifierDigest } from '../../src/auth/tokens.ts';
import { addRequestToken, exchangeToken, type Flow } from '../../src/store/request-tokens.ts';
import { databases } from '../databases.ts';
import { openSite, type Site, secretKey, start, village } from '../site.ts';

const random = randomBytes;
const hour = 60 * 60 * 1000;

async function openVillage(open: () => Promise<Database>): Promise<Site> {
  const site = await openSite(open, village);
  await site.add({
    members: [{ id: '9', displayName: 'Root', admin: true }],
    consumers: [{ key: 'printer', secret: 'secret', kind: 'member', memberId: '2', title: 'Photo printer' }],
  });
  return site;
}

interface Asked {
  readonly token?: string;
  readonly consumerKey?: string;
  readonly flow?: Flow;
  readonly callback?: string;
}

async function ask(site: Site, options: Asked = {}): Promise<{ token: string; flow: Flow; nowMs: number }> {
  const { token = 'asked', consumerKey = 'printer', flow = 'member', callback = 'oob' } = options;
  await addRequestToken(site.db, { token, sealedSecret: '', consumerKey, flow, callback, nowMs: site.nowMs });
  return { token, flow, nowMs: site.nowMs };
}

function exchange(site: Site, { token, flow, verifier }: { token: string; flow: Flow; verifier: string }) {
  return exchangeToken(site.db, {
    token,
    flow,
    consumerKey: 'printer',
    verifierDigest: verifierDigest(token, verifier),
    accessToken: `access ${token} ${verifier} ${++exchanges}`,
    sealedSecret: '',
    nowMs: site.nowMs,
  });
}
let exchanges = 0;

async function allow(site: Site, request: { token: string; flow: Flow; nowMs: number }, memberId = '1') {
  const answer = await allowAuthorization(site.db, { ...request, memberId, random });
  return answer && 'verifier' in answer ? answer.verifier : '';
}

describe.each(databases)('authorizations on $name', ({ open }) => {
  test('a consent page reads the consumer and its title (contract §5)', async () => {
    const site = await openVillage(open);
    expect(await pendingAuthorization(site.db, await ask(site))).toEqual({
      token: 'asked',
      consumerKey: 'printer',
      title: 'Photo printer',
      kind: 'member',
      flow: 'member',
      callback: 'oob',
    });
    const untitled = await ask(site, { token: 'other', consumerKey: 'admin', flow: 'admin' });
    expect(await pendingAuthorization(site.db, untitled)).toMatchObject({ title: 'admin', kind: 'admin' });
  });

  test.each([
    ['unknown', {}, { token: 'nothing' }],
    ['asked in the other flow', { consumerKey: 'admin' }, { flow: 'admin' }],
    ['an hour old', {}, { nowMs: start + hour }],
    ['of an app’s consumer', { consumerKey: 'notes-app' }, {}],
    ['asked in the flow admin by a member’s consumer', { flow: 'admin' }, {}],
  ] as const)('a token that is %s cannot be shown, allowed or denied (contract §5)', async (_, options, altered) => {
    const site = await openVillage(open);
    const request = { ...(await ask(site, options)), ...altered };
    expect(await pendingAuthorization(site.db, request)).toBe(undefined);
    expect(await allowAuthorization(site.db, { ...request, memberId: '9', random })).toBe(undefined);
    const control = await ask(site, { token: 'control' });
    expect(await allowAuthorization(site.db, { ...control, memberId: '9', random })).toBeDefined();
  });

  test('a token is allowed once, with a verifier of its own, which no page can show again (contract §5)', async () => {
    const site = await openVillage(open);
    const request = await ask(site);
    expect(await allowAuthorization(site.db, { ...request, memberId: '1', random })).toEqual({
      verifier: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{12}$/),
    });
    expect(await allowAuthorization(site.db, { ...request, memberId: '2', random })).toBe(undefined);
    expect(await pendingAuthorization(site.db, request)).toBe(undefined);
    expect(await denyAuthorization(site.db, request)).toBe(undefined);
  });

  test('one of two members who allow a token at once succeeds (contract §5)', async () => {
    const site = await openVillage(open);
    const request = await ask(site);
    const answers = await Promise.all(
      ['1', '2'].map((memberId) => allowAuthorization(site.db, { ...request, memberId, random })),
    );
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
  });

  test.each([
    ['member', '1', true],
    ['member', '404', false],
    ['admin', '1', false],
    ['admin', '9', true],
  ] as const)('in the flow %s, that member %s may allow it is %s (contract §5)', async (flow, memberId, may) => {
    const site = await openVillage(open);
    const request = await ask(site, { consumerKey: 'admin', flow });
    expect((await allowAuthorization(site.db, { ...request, memberId, random })) !== undefined).toBe(may);
  });

  test.each([
    ['https://client.example/back', 'https://client.example/back?'],
    ['https://client.example/back?a=b%20c&d', 'https://client.example/back?a=b%20c&d&'],
    ['https://client.example/?', 'https://client.example/?'],
    ['https://client.example/?a=1#part', 'https://client.example/?a=1&', '#part'],
  ])('the answer goes to %s, which keeps its own query (contract §5)', async (callback, before, after = '') => {
    const site = await openVillage(open);
    const allowed = await allowAuthorization(site.db, {
      ...(await ask(site, { token: 't1', callback })),
      memberId: '1',
      random: (bytes) => new Uint8Array(bytes),
    });
    expect(allowed).toEqual({ redirect: `${before}oauth_token=t1&oauth_verifier=000000000000${after}` });
    expect(await denyAuthorization(site.db, await ask(site, { token: 't2', callback }))).toEqual({
      redirect: `${before}oauth_token=t2&oauth_problem=permission_denied${after}`,
    });
  });

  test('a denied token is void (contract §5)', async () => {
    const site = await openVillage(open);
    const request = await ask(site);
    expect(await denyAuthorization(site.db, request)).toBe('denied');
    expect(await allowAuthorization(site.db, { ...request, memberId: '1', random })).toBe(undefined);
    expect(await denyAuthorization(site.db, request)).toBe(undefined);
  });

  test('a token is exchanged once, by the right verifier, after it was allowed (contract §5)', async () => {
    const site = await openVillage(open);
    const request = await ask(site);
    expect(await exchange(site, { ...request, verifier: '' })).toBe('wrong verifier');
    const verifier = await allow(site, request);
    expect(await exchange(site, { ...request, verifier: 'wrong' })).toBe('wrong verifier');
    expect(await exchange(site, { ...request, flow: 'admin', verifier })).toBe('void');
    expect(await listAuthorizations(site.db, '1')).toEqual([]);
    expect(await exchange(site, { ...request, verifier })).toBe('exchanged');
    expect(await exchange(site, { ...request, verifier })).toBe('void');
    expect(await listAuthorizations(site.db, '1')).toEqual([
      { consumerKey: 'printer', title: 'Photo printer', kind: 'member', flow: 'member', createdAtMs: start },
    ]);
  });

  test('one of twenty exchanges of a token at once succeeds (contract §5)', async () => {
    const site = await openVillage(open);
    const request = await ask(site);
    const verifier = await allow(site, request);
    const results = await Promise.all(Array.from({ length: 20 }, () => exchange(site, { ...request, verifier })));
    expect(results.filter((result) => result === 'exchanged')).toHaveLength(1);
    expect(results.filter((result) => result === 'void')).toHaveLength(19);
    expect(await listAuthorizations(site.db, '1')).toHaveLength(1);
  });

  test('a token dies at five wrong verifiers, tried at once or one by one (contract §5)', async () => {
    const site = await openVillage(open);
    const request = await ask(site);
    const verifier = await allow(site, request);
    const tries = Array.from({ length: 20 }, (_, index) => exchange(site, { ...request, verifier: `wrong ${index}` }));
    const results = await Promise.all(tries);
    expect(results.filter((result) => result === 'wrong verifier')).toHaveLength(5);
    expect(await exchange(site, { ...request, verifier })).toBe('void');

    const patient = await ask(site, { token: 'patient' }); // the control: four do not kill
    const right = await allow(site, patient);
    for (let n = 0; n < 4; n += 1) await exchange(site, { ...patient, verifier: 'wrong' });
    expect(await exchange(site, { ...patient, verifier: right })).toBe('exchanged');
  });

  test('a token that was allowed lives an hour from its issue (contract §5)', async () => {
    const site = await openVillage(open);
    const request = await ask(site);
    const verifier = await allow(site, request);
    site.nowMs = start + hour;
    expect(await exchange(site, { ...request, verifier })).toBe('void');
    site.nowMs -= 1;
    expect(await exchange(site, { ...request, verifier })).toBe('exchanged');
  });

  test('a new access token replaces the consumer’s earlier one for that member and flow alone (contract §5)', async () => {
    const site = await openVillage(open);
    const give = async (token: string, memberId: string) => {
      const request = await ask(site, { token });
      expect(await exchange(site, { ...request, verifier: await allow(site, request, memberId) })).toBe('exchanged');
    };
    await give('a', '1');
    await give('b', '2');
    site.nowMs += 1000;
    await give('c', '1');
    expect(await listAuthorizations(site.db, '1')).toMatchObject([{ createdAtMs: start + 1000 }]);
    expect(await listAuthorizations(site.db, '2')).toMatchObject([{ createdAtMs: start }]);
  });

  test('a member takes back what they allowed, exchanged or not, and only that (contract §5)', async () => {
    const site = await openVillage(open);
    const mine = { memberId: '1', consumerKey: 'printer', flow: 'member' } as const;
    const request = await ask(site, { token: 'given' });
    await exchange(site, { ...request, verifier: await allow(site, request) });
    const promised = await ask(site, { token: 'promised' });
    const verifier = await allow(site, promised);
    expect(await revokeAuthorization(site.db, { ...mine, memberId: '2' })).toBe(false);
    expect(await revokeAuthorization(site.db, { ...mine, flow: 'admin' })).toBe(false);
    expect(await revokeAuthorization(site.db, { ...mine, consumerKey: 'admin' })).toBe(false);
    expect(await listAuthorizations(site.db, '1')).toHaveLength(1);
    expect(await revokeAuthorization(site.db, mine)).toBe(true);
    expect(await listAuthorizations(site.db, '1')).toEqual([]);
    expect(await exchange(site, { ...promised, verifier })).toBe('void');
    expect(await revokeAuthorization(site.db, mine)).toBe(false);
  });

  test('members see and revoke the keys that are theirs; tokens go with the key (contract §5)', async () => {
    const site = await openVillage(open);
    const request = await ask(site);
    await exchange(site, { ...request, verifier: await allow(site, request) });
    const { key } = await addConsumer(site.db, { secretKey, kind: 'member', memberId: '2', title: 'Mine' });
    expect(await listConsumersOf(site.db, '2')).toMatchObject([
      { key: 'member-2', title: '' },
      { key: 'printer', title: 'Photo printer' },
      { key, title: 'Mine' },
    ]);
    expect(await revokeConsumer(site.db, 'printer', { memberId: '1' })).toBe(false);
    expect(await listAuthorizations(site.db, '1')).toHaveLength(1);
    expect(await revokeConsumer(site.db, 'printer', { memberId: '2' })).toBe(true);
    expect(await listAuthorizations(site.db, '1')).toEqual([]);
  });

  test.each(['x'.repeat(101), 'two\nlines'])('the title %j is refused', async (title) => {
    const site = await openVillage(open);
    const spec = { secretKey, kind: 'member', memberId: '2' } as const;
    await expect(addConsumer(site.db, { ...spec, title })).rejects.toThrow('at most 100 characters');
    await addConsumer(site.db, { ...spec, title: '😀'.repeat(100) }); // the control
  });
});
