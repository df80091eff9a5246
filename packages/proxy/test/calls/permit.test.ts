import { sql } from '@gantry/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { registerApp } from '../register-app.ts';
import { appFolder, openSite, says, secretKey } from '../site.ts';

// The rules once more, typed out, so that a mistake in the operations table or in the proxy is none
// here.
const needs: Readonly<Record<string, string>> = {
  'people.get': 'people',
  'activities.get': 'activities',
  'activities.create': 'activities.post',
  'appdata.get': 'appdata',
  'appdata.update': 'appdata.write',
  'appdata.delete': 'appdata.write',
  'albums.get': 'albums',
  'mediaItems.get': 'albums',
};
const params: Readonly<Record<string, object>> = {
  'activities.create': { activity: { title: 'Hello' } },
  'appdata.update': { data: { a: 1 } },
  'appdata.delete': { keys: ['a'] },
  'mediaItems.get': { albumId: '1' },
};
const fields = ['aboutMe', 'addresses', 'age', 'birthday', 'languagesSpoken', 'gender'];
const permissions = [...new Set(Object.values(needs)), ...fields.map((field) => `people.${field}`)];

const declaration = fc.record({
  uses: fc.subarray(Object.keys(needs)),
  fields: fc.subarray(fields),
});
const scenario = fc.record({
  manifest: fc.record({ uses: declaration, optional: declaration }),
  trusted: fc.boolean(),
  decisions: fc.array(fc.record({ name: fc.constantFrom(...permissions), granted: fc.boolean() }), { maxLength: 12 }),
  calls: fc.array(
    fc.record({
      operation: fc.constantFrom(...Object.keys(needs)),
      fields: fc.subarray([...fields, '@all']),
      groupId: fc.constantFrom('@self', '@friends'),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;
type Call = Scenario['calls'][number];

const namedBy = ({ fields: named }: Call) => (named.includes('@all') ? fields : named);

function mayCall({ manifest, trusted, decisions }: Scenario, call: Call): boolean {
  const calls = [...manifest.uses.uses, ...manifest.optional.uses];
  const named = [...manifest.uses.fields, ...manifest.optional.fields];
  const isGranted = (name: string) => decisions.findLast((one) => one.name === name)?.granted ?? trusted;
  if (!calls.includes(call.operation) || !isGranted(needs[call.operation] as string)) return false;
  if (call.operation !== 'people.get') return true;
  return namedBy(call).every((field) => named.includes(field) && isGranted(`people.${field}`));
}

/** Names of all that the app declares and the member lets it do. */
function grantedBy({ manifest, trusted, decisions }: Scenario): readonly string[] {
  const { uses, optional } = manifest;
  const calls = [...uses.uses, ...optional.uses].map((call) => needs[call] as string);
  const names = new Set([...calls, ...[...uses.fields, ...optional.fields].map((field) => `people.${field}`)]);
  const isGranted = (name: string) => decisions.findLast((one) => one.name === name)?.granted ?? trusted;
  return [...names].filter(isGranted).sort();
}

const everything = { uses: Object.keys(needs), fields };

/**
 * @param isNaive Registers an app with all permissions, as a proxy without the check behaves.
 */
async function violations(isNaive: boolean) {
  const folder = await appFolder();
  const sent: string[] = [];
  const person = {
    id: '7',
    displayName: 'Ann',
    ...Object.fromEntries(fields.map((field) => [field, `secret ${field}`])),
  };
  const site = await openSite({
    // The grants that the site receives, as the proxy computes them in each decision's transaction.
    installs: {
      withDecision: ({ viewer, granted }, statements) => [
        ...statements,
        sql`
          insert into reported (viewer, granted) values (${viewer}, ${granted})
          on conflict (viewer) do update set granted = excluded.granted`,
      ],
    },
    upstream: async ({ method, rawTarget: target }) => {
      sent.push(`${method} ${target}`);
      const isList = target.includes('%40friends') || !target.includes('/people/');
      return says({ entry: isList ? [person] : person });
    },
  });
  await site.db.query(sql`create table reported (viewer text primary key, granted text)`);
  return fc.asyncProperty(scenario, async (asked) => {
    const { manifest, trusted, decisions, calls } = asked;
    const declared = isNaive ? everything : { ...manifest.uses, optional: manifest.optional };
    const app = {
      id: 'friends',
      folder,
      manifest: { name: 'F', page: 'index.html', ...declared },
      trusted: trusted || isNaive,
      consumerKey: 'k',
      consumerSecret: 's',
    };
    await registerApp(site.db, secretKey, app, { mode: 'update' });
    site.nowMs += 60_000; // refills the rate limit
    site.viewer = `m${site.seen.length}`; // a new member, without decisions
    const gadget = await site.mount({ app: 'friends' });
    for (const { name, granted } of isNaive ? [] : decisions) {
      await site.post('/gantry/grants', { token: gadget.token, [granted ? 'grant' : 'revoke']: [name] });
    }
    const [reported] = await site.db.query<{ granted: string | null }>(sql`
      select granted from reported where viewer = ${site.viewer}`);
    if (reported && !isNaive) expect(reported.granted?.split(' ') ?? []).toEqual(grantedBy(asked));
    for (const call of calls) {
      sent.length = 0;
      const isPeople = call.operation === 'people.get';
      const input = isPeople ? { fields: call.fields, groupId: call.groupId } : (params[call.operation] ?? {});
      const request = { id: 'c', instance: gadget.instance, operation: call.operation, params: { ...input } };
      const reply = (await site.call([request], [gadget])).get('c');
      expect(sent).toHaveLength(mayCall(asked, call) ? 1 : 0);
      if (!mayCall(asked, call)) {
        expect(reply).toMatchObject({ error: { code: 403, data: { reason: 'NOT_GRANTED' } } });
      } else if (isPeople) {
        const fieldNames = [...JSON.stringify(reply).matchAll(/secret (\w+)/g)].map(([, field]) => field);
        expect(fieldNames.toSorted()).toEqual([...namedBy(call)].toSorted());
      }
    }
  });
}

test('for random manifests, decisions and calls, nothing without a grant is sent or answered', async () => {
  await fc.assert(await violations(false), { numRuns: 150 });
});

test('control: a proxy without the permission middleware fails', async () => {
  const { failed } = await fc.check(await violations(true), { numRuns: 150, endOnFailure: true });
  expect(failed).toBe(true);
});
