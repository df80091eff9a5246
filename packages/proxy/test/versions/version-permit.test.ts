import { sql } from '@gantry/store';
import type { Instance } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGadgetTokens } from '../../src/gadgets/gadget-token.ts';
import { decideVersion } from '../../src/versions/decide-version.ts';
import { decidePreview, endPreview, offerPreview } from '../../src/versions/previews.ts';
import { says, siteUrl } from '../site.ts';
import { appOf, openStoredSite, type StoredSite } from './stored-site.ts';

// The rule once more, typed out: a call needs to be in the manifest of the version that sends it.
const needs: Readonly<Record<string, string>> = {
  'people.get': 'people',
  'activities.get': 'activities',
  'appdata.get': 'appdata',
  'appdata.delete': 'appdata.write',
  'albums.get': 'albums',
};
const calls = Object.keys(needs);
const params: Readonly<Record<string, object>> = { 'appdata.delete': { keys: ['a'] } };
const permissionsOf = (uses: readonly string[]) => uses.map((call) => needs[call] as string);

const scenario = fc.record({
  old: fc.subarray(calls, { minLength: 1 }),
  live: fc.subarray(calls, { minLength: 1 }),
  allowed: fc.subarray(Object.values(needs)),
  trusted: fc.boolean(),
  kind: fc.constantFrom('accepted', 'preview'),
  asked: fc.array(fc.record({ of: fc.constantFrom('old', 'live'), call: fc.constantFrom(...calls) }), {
    minLength: 1,
    maxLength: 10,
  }),
});
interface PreviewOfTest {
  readonly app: string;
  readonly registration: string;
  readonly digest: string;
  readonly by: string;
  readonly nowMs: number;
}
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

function mayCall({ old, live, allowed, trusted, kind }: Scenario, { of, call }: Scenario['asked'][number]): boolean {
  const uses = of === 'old' ? old : live;
  const permission = needs[call] as string;
  const isKnown = of === 'live' || kind === 'accepted' || permissionsOf(live).includes(permission);
  // The page of the other version asks in its own name.
  const isAllowed = allowed.includes(permission) || trusted;
  return uses.includes(call) && isKnown && isAllowed;
}

/** @param isNaive Drops the version from tokens: each call is bounded by what is registered now. */
async function violations(isNaive: boolean) {
  const tokens = createGadgetTokens({
    keys: [{ id: '1', key: new Uint8Array(32).fill(9) }],
    container: siteUrl,
    now: () => site.nowMs,
  });
  const sent: string[] = [];
  const site: StoredSite = await openStoredSite({
    async upstream({ rawTarget }) {
      sent.push(rawTarget);
      return says({ entry: {} });
    },
  });
  let run = 0;

  async function nameless(gadget: Instance): Promise<Instance> {
    const check = await tokens.check(gadget.token);
    if ('refused' in check) throw new Error(check.refused);
    const { app, registration, viewer, owner, instance } = check.claims;
    return { ...gadget, token: await tokens.issue({ app, registration, viewer, owner, instance }) };
  }

  return fc.asyncProperty(scenario, async (asked) => {
    run += 1;
    site.nowMs += 60_000; // refills the rate limit
    site.viewer = `m${run}`;
    await site.db.batch([
      sql`delete from app_registrations where id = 'quiz'`,
      sql`delete from app_versions where app_id = 'quiz'`,
    ]);
    const { trusted } = asked;
    const contentsOf = (uses: readonly string[], name: string) => appOf({ uses, name: `${name} ${run}` });
    let old: Instance;
    let digest = '';
    if (asked.kind === 'accepted') {
      digest = await site.release(contentsOf(asked.old, 'Old'), { trusted });
      old = await site.ask();
      await site.release(contentsOf(asked.live, 'Live'), { trusted });
    } else {
      await site.release(contentsOf(asked.live, 'Live'), { trusted });
      digest = await site.push(contentsOf(asked.old, 'Next'), 'preview');
      const members = [site.viewer];
      const by = { by: 'test', nowMs: site.nowMs };
      await offerPreview(site.db, { app: 'quiz', registration: 'first', digest, members, ...by });
      await site.post('/gantry/previews', { token: (await site.ask()).token, accept: true });
      old = await site.ask();
    }
    const live = await site.ask({ version: (await liveVersion(site)) ?? '' });
    expect([old.version, live.live]).toEqual([digest, undefined]);
    for (const { token } of [old, live]) await site.post('/gantry/grants', { token, grant: asked.allowed });
    const gadgets = isNaive ? [await nameless(old), await nameless(live)] : [old, live];

    sent.length = 0;
    const posted = asked.asked.map(({ of, call }, index) => {
      const { instance } = of === 'old' ? old : live;
      return { id: `${index}`, instance, operation: call, params: { ...params[call] } };
    });
    const replies = await site.call(posted, gadgets);
    for (const [index, one] of asked.asked.entries()) {
      const reply = replies.get(`${index}`);
      if (mayCall(asked, one)) expect(reply).toHaveProperty('ok');
      else expect(reply).toMatchObject({ error: { code: 403, data: { reason: 'NOT_GRANTED' } } });
    }
    if (!asked.asked.some((one) => mayCall(asked, one))) expect(sent).toEqual([]);
  });
}

async function liveVersion({ db }: StoredSite): Promise<string | undefined> {
  const [row] = await db.query<{ version: string }>(sql`select version from app_registrations where id = 'quiz'`);
  return row?.version;
}

test('with two versions on one page, each call is bounded by the manifest of the version that sends it', async () => {
  await fc.assert(await violations(false), { numRuns: 100 });
});

test('control: bounded by what is registered now, it fails', async () => {
  const { failed } = await fc.check(await violations(true), { numRuns: 100, endOnFailure: true });
  expect(failed).toBe(true);
});

test.each<readonly [string, (site: StoredSite, preview: PreviewOfTest) => Promise<unknown>]>([
  ['its preview ends', ({ db }, preview) => endPreview(db, preview)],
  ['it is refused', ({ db }, preview) => decideVersion(db, { ...preview, approve: false })],
  [
    'the member turns it down',
    ({ db }, { app, registration, digest: version, nowMs }) =>
      decidePreview(db, { app, registration, version, member: 'm1', accept: false, nowMs }),
  ],
])('calls of a version that nobody accepted stop when %s, with a token that is still valid', async (_what, end) => {
  const site = await openStoredSite();
  site.viewer = 'm1';
  await site.release(appOf({ uses: ['people.get'] }), { trusted: true });
  const digest = await site.push(appOf({ uses: ['people.get'], name: 'Next' }), 'preview');
  const preview = { app: 'quiz', registration: 'first', digest, by: 'test', nowMs: site.nowMs };
  await offerPreview(site.db, { ...preview, members: ['m1', 'm2'] });
  await site.post('/gantry/previews', { token: (await site.ask()).token, accept: true });
  const gadget = await site.ask();
  expect(gadget.version).toBe(digest);
  const reply = async () => {
    const { instance } = gadget;
    return (await site.call([{ id: '1', instance, operation: 'people.get', params: {} }], [gadget])).get('1');
  };
  expect(await reply()).toHaveProperty('ok');
  await end(site, preview);
  expect(await reply()).toMatchObject({ error: { data: { reason: 'APP_REPLACED' } } });
});

test('calls of a preview go on when its version is accepted for everybody', async () => {
  const site = await openStoredSite();
  site.viewer = 'm1';
  await site.release(appOf({ uses: ['people.get'] }), { trusted: true });
  const digest = await site.push(appOf({ uses: ['people.get'], name: 'Next' }), 'preview');
  const preview = { app: 'quiz', registration: 'first', digest, by: 'test', nowMs: site.nowMs };
  await offerPreview(site.db, { ...preview, members: ['m1'] });
  await site.post('/gantry/previews', { token: (await site.ask()).token, accept: true });
  const gadget = await site.ask();
  await decideVersion(site.db, { ...preview, approve: true });
  await endPreview(site.db, preview);
  const { instance } = gadget;
  const replies = await site.call([{ id: '1', instance, operation: 'people.get', params: {} }], [gadget]);
  expect(replies.get('1')).toHaveProperty('ok');
});

test('calls of any versions cost one statement, once each version is known', async () => {
  const site = await openStoredSite();
  const first = await site.release(appOf({ uses: ['people.get'] }), { trusted: true });
  const old = await site.ask();
  await site.release(appOf({ uses: ['people.get', 'appdata.get'] }), { trusted: true });
  const gadgets = [old, await site.ask({ version: first }), await site.ask()];
  const { query } = site.db;
  const statements: string[] = [];
  site.db.query = (statement) => {
    statements.push(statement.strings.join('?'));
    return query(statement);
  };
  const ask = async () => {
    statements.length = 0;
    const posted = gadgets.map(({ instance }, index) => ({
      id: `${index}`,
      instance,
      operation: 'people.get',
      params: {},
    }));
    await site.call(posted, gadgets);
    return statements.filter((text) => /app_registrations|app_versions/.test(text)).length;
  };
  expect(await ask()).toBe(2); // the registration, with its secret
  expect(await ask()).toBe(1);
  expect(await ask()).toBe(1);
});
