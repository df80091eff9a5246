import type { SigningConsumer } from '@gantry/oauth';
import { type Database, sql } from '@gantry/store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConsumerKind } from '../../src/store/consumers.ts';
import type { Flow } from '../../src/store/request-tokens.ts';
import { saveApp } from '../apps.ts';
import { databases } from '../databases.ts';
import { ask, authorized, problem, type Token } from '../oauth-client.ts';
import { openSite, type Site } from '../site.ts';

/**
 * Compares the members that keys act for with an independent model of the contract's §5: keys of
 * every kind, tokens of both flows from several members, and members who are removed or lose their
 * administrator rights.
 */

interface Key {
  readonly key: string;
  readonly kind: ConsumerKind;
  readonly memberId?: string;
  readonly anyMember?: boolean;
  readonly container?: boolean;
}

const keys: readonly Key[] = [
  { key: 'of-1', kind: 'member', memberId: '1' },
  { key: 'of-2', kind: 'member', memberId: '2' },
  { key: 'site-any', kind: 'admin', anyMember: true },
  { key: 'site', kind: 'admin' },
  { key: 'root-any', kind: 'admin', memberId: '9', anyMember: true },
  { key: 'app', kind: 'app' },
  { key: 'container', kind: 'app', container: true },
];

interface Given {
  readonly by: string;
  readonly flow: Flow;
  readonly token: Token;
}

interface State {
  readonly site: Site;
  /** Grants of members, by key. */
  readonly given: ReadonlyMap<string, readonly Given[]>;
}

const consumerOf = ({ key }: Key): SigningConsumer => ({ key, secret: `secret of ${key}` });

async function openOffice(open: () => Promise<Database>): Promise<State> {
  const site = await openSite(open, {
    members: ['1', '2', '8', '9'].map((id) => ({ id, displayName: id, admin: id === '8' || id === '9' })),
    apps: [{ id: 'notes', title: 'Notes' }],
    consumers: keys.map((one) => ({
      ...one,
      secret: `secret of ${one.key}`,
      ...(one.kind === 'app' && { appId: 'notes' }),
    })),
  });
  const givers = {
    member: [
      ['1', 'member'],
      ['2', 'member'],
      ['9', 'member'],
    ],
    admin: [
      ['8', 'admin'],
      ['9', 'admin'],
    ],
  } as const;
  const lists = keys
    .filter(({ kind }) => kind !== 'app')
    .map(async (one) => {
      const tokens = [...givers.member, ...(one.kind === 'admin' ? givers.admin : [])].map(async ([by, flow]) => ({
        by,
        flow,
        token: await authorized(site, consumerOf(one), by, flow),
      }));
      return [one.key, await Promise.all(tokens)] as const;
    });
  const given = new Map(await Promise.all(lists));
  return { site, given };
}

interface World {
  readonly admins: readonly string[];
  readonly installedBy: readonly string[];
  readonly appIsActive: boolean;
}

async function bring({ site }: State, { admins, installedBy, appIsActive }: World): Promise<void> {
  const one = (condition: boolean) => (condition ? 1 : 0);
  await site.db.batch([
    ...['1', '2', '8', '9'].flatMap((id) => [
      sql`update member set admin = ${one(admins.includes(id))} where id = ${id}`,
      sql`
        insert into member_app (member_id, app_id, installed, level)
        values (${id}, ${'notes'}, ${one(installedBy.includes(id))}, ${0})
        on conflict (member_id, app_id) do update set installed = excluded.installed`,
    ]),
  ]);
  await saveApp(site.db, { id: 'notes', title: 'Notes', active: appIsActive });
}

interface Question extends World {
  readonly key: Key;
  readonly given: Given | undefined;
  readonly requestor: string | undefined;
}

/** The contract's table. */
function model({ key, given, requestor, admins, installedBy, appIsActive }: Question): string {
  const members = ['1', '2', '8', '9'];
  const named = requestor !== undefined && members.includes(requestor) ? requestor : 'nobody';
  if (given) {
    if (given.flow === 'admin') return admins.includes(given.by) ? named : 'nobody';
    return requestor === undefined || requestor === given.by ? given.by : 'nobody';
  }
  const table: Record<ConsumerKind, boolean> = {
    member: named === key.memberId,
    admin: key.anyMember === true && (key.memberId === undefined || admins.includes(key.memberId)),
    app: appIsActive && (key.container === true || installedBy.includes(named)),
  };
  return table[key.kind] ? named : 'nobody';
}

describe.each(databases)('consumer kinds on $name', ({ name, open }) => {
  test('2- and 3-legged, every kind speaks for whom the table says (contract §5; security rule 17)', async () => {
    const state = await openOffice(open);
    const calls = keys.flatMap((key) =>
      [undefined, ...(state.given.get(key.key) ?? [])].flatMap((given) =>
        [undefined, '1', '2', '8', '9', '404', '@me', ''].map((requestor) => ({ key, given, requestor })),
      ),
    );
    const round = fc.record({
      admins: fc.subarray(['1', '8', '9']),
      installedBy: fc.subarray(['1', '2', '9']),
      appIsActive: fc.boolean(),
      inQuery: fc.boolean(),
      claims: fc.subarray(['flow=admin', 'kind=admin', 'oauth_flow=admin', 'admin=1']),
    });
    const answers = new Set<string>();
    const play = async ({ inQuery, claims, ...world }: typeof round extends fc.Arbitrary<infer R> ? R : never) => {
      await bring(state, world);
      const put = async ({ key, given, requestor }: (typeof calls)[number]) => {
        const named = requestor === undefined ? [] : [['xoauth_requestor_id', requestor] as const];
        const pairs = [...claims, ...(inQuery ? named.map(([name, id]) => `${name}=${encodeURIComponent(id)}`) : [])];
        const answer = await ask(state.site, {
          path: `/social/rest/people/@me/@self${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
          consumer: consumerOf(key),
          token: given?.token,
          parameters: inQuery ? [] : named,
        });
        const spoken = answer.status === 200 ? JSON.parse(answer.text).entry.id : 'nobody';
        if (spoken === 'nobody') expect(problem(answer)).toBe('permission_denied');
        expect(spoken).toBe(model({ ...world, key, given, requestor }));
        answers.add(`${key.key} ${given ? given.flow : '2-legged'} ${spoken === 'nobody' ? 'no' : 'yes'}`);
      };
      await Promise.all(calls.map(put));
    };
    const all = { admins: ['8', '9'], installedBy: ['1', '2', '9'], appIsActive: true, inQuery: false, claims: [] };
    await fc.assert(fc.asyncProperty(round, play), { numRuns: name === 'SQLite' ? 12 : 3, examples: [[all]] });
    // Control: every kind of key was accepted and refused at least once.
    for (const { key, kind, anyMember } of keys) {
      for (const way of kind === 'app'
        ? ['2-legged']
        : kind === 'member'
          ? ['2-legged', 'member']
          : ['member', 'admin']) {
        expect([...answers]).toContain(`${key} ${way} yes`);
        expect([...answers]).toContain(`${key} ${way} no`);
      }
      if (kind === 'admin') expect([...answers]).toContain(`${key} 2-legged ${anyMember ? 'yes' : 'no'}`);
    }
  });
});
