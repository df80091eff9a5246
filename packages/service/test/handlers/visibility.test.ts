import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { databases, openServiceSqlite } from '../databases.ts';
import { authorized, type Token } from '../oauth-client.ts';
import { administrator, openWorld, profileFields, type Question, questions, worlds } from '../random-worlds.ts';
import { call } from '../rpc-client.ts';
import type { Reply, SignedCall, Site } from '../site.ts';
import { model, type Told } from '../visibility-model.ts';

type Item = Readonly<Record<string, unknown>>;
type Pick = (item: Item) => unknown;

const id: Pick = (item) => item.id;
const whole: Pick = (item) => item;
const profile: Pick = (item) =>
  Object.fromEntries(['id', 'isViewer', 'hasApp', ...profileFields].map((name) => [name, item[name]]));
const album: Pick = (item) => ({ id: item.id, mediaItemCount: item.mediaItemCount });

function outcomeOf({ status, json }: Reply, pick: Pick): Told & { readonly total?: number | undefined } {
  if (status !== 200) return { status };
  const { entry, totalResults: total } = json;
  return Array.isArray(entry) ? { status, all: entry.map(pick), total } : { status, one: pick(entry as Item) };
}

/** Returns the function that signs a question's request. */
function signer(site: Site) {
  const tokens = new Map<string, Promise<Token>>();
  const token = (key: string, by: string, flow: 'member' | 'admin') => {
    const promise = tokens.get(`${by} ${flow}`) ?? authorized(site, { key, secret: 'secret' }, by, flow);
    tokens.set(`${by} ${flow}`, promise);
    return promise;
  };
  return async ({ viewer, way, app }: Question): Promise<Omit<SignedCall, 'path'>> => {
    switch (way) {
      case 'container':
      case 'app':
        return { as: viewer, key: `${way}-${app}` };
      case 'member':
        return { as: viewer, key: `member-${viewer}` };
      case 'admin':
        return { as: viewer, key: 'admin-any' };
      case 'member token':
        return { as: null, key: 'admin', token: await token('admin', viewer, 'member') };
      case 'admin token':
        return { as: viewer, key: 'admin', token: await token('admin', administrator, 'admin') };
    }
  };
}

interface Case {
  readonly path: string;
  readonly pick: Pick;
  readonly expected: Told;
  readonly method?: string;
  readonly body?: object;
}

function cases(question: Question, expected: ReturnType<typeof model>): readonly Case[] {
  const { guids, pids } = question;
  const who = guids.join(',');
  const read = (path: string, pick: Pick, outcome: Told): Case => ({ path, pick, expected: outcome });
  const data = { path: `/appData/${who}/@self/@app`, pick: whole, expected: expected.appDataWrite(question) };
  return [
    read(`/people/${who}/@self?fields=@all`, profile, expected.people(question)),
    read(`/people/${guids[0]}/@all/${pids}?fields=@all`, profile, expected.personSeenFrom(question)),
    read(`/people/${who}/@friends?fields=@all`, profile, expected.friends(question)),
    read(`/people/${who}/@friends?filterBy=hasApp`, id, expected.friendsWithApp(question)),
    read(`/activities/${who}/@self?`, id, expected.activities(question, false)),
    read(`/activities/${who}/@self/@app?`, id, expected.activities(question, true)),
    read(`/activities/${who}/@friends?`, id, expected.friendsActivities(question, false)),
    read(`/activities/${who}/@friends/@app?`, id, expected.friendsActivities(question, true)),
    read(`/appData/${who}/@self/@app?`, whole, expected.appData(question)),
    read(`/appData/${who}/@friends/@app?`, whole, expected.friendsAppData(question)),
    read(`/albums/${who}/@self?`, album, expected.albums(question, false)),
    read(`/albums/${who}/@friends?`, album, expected.albums(question, true)),
    read(`/mediaitems/${who}/@self/${question.album}?`, id, expected.mediaItems(question)),
    { ...data, method: 'POST', body: {} },
    { ...data, method: 'DELETE', path: `${data.path}?fields=none` },
    {
      path: `/activities/${who}/@self`,
      method: 'POST',
      body: { title: '' },
      pick: whole,
      expected: expected.emptyPost(question),
    },
  ];
}

/** Sends the requests of one question, each once, and remembers the replies. */
interface Answers {
  readonly question: Question;
  send(request: Omit<Case, 'pick' | 'expected'>): Promise<Reply>;
  /** Lists media items over JSON-RPC, which signs without tokens only. */
  readonly mediaItems: (() => ReturnType<typeof call>) | undefined;
}

async function answersTo(site: Site, question: Question): Promise<Answers> {
  const signed = await signer(site)(question);
  const replies = new Map<string, Promise<Reply>>();
  let mediaItems: ReturnType<typeof call> | undefined;
  const { as = null, key = '' } = signed;
  return {
    question,
    send({ path, method = 'GET', body }) {
      const reply =
        replies.get(`${method} ${path}`) ?? site.send({ ...signed, path, method, ...(body !== undefined && { body }) });
      replies.set(`${method} ${path}`, reply);
      return reply;
    },
    mediaItems: signed.token
      ? undefined
      : () => {
          mediaItems ??= call(site, 'mediaItems.get', { userId: [...question.guids] }, { as, key });
          return mediaItems;
        },
  };
}

/**
 * Compares the answers to one question with a model.
 *
 * @returns Number of requests that it covers.
 */
async function check({ question, send, mediaItems }: Answers, expected: ReturnType<typeof model>): Promise<number> {
  const { startIndex, count } = question.page;
  const isRefused = expected.cannotAsk(question);
  let comparisons = 0;
  const compare = (request: object, answer: unknown, outcome: unknown) => {
    comparisons += 1;
    if (isDeepStrictEqual(answer, outcome)) return;
    expect({ ...question, ...request, answer }).toEqual({ ...question, ...request, answer: outcome });
  };
  for (const { path, pick, expected: right, ...more } of cases(question, expected)) {
    const outcome: Told = isRefused ? { status: 401 } : right;
    const { all } = outcome;
    const reply = await send({ ...more, path: path.replace(/\?$/, '') });
    compare({ path, ...more }, outcomeOf(reply, pick), all ? { ...outcome, total: all.length } : outcome);
    if (all === undefined) continue;
    // A page that does not show the end of its list: hidden items are not counted either.
    const page = `${path}&startIndex=${startIndex}&count=${count}`;
    const part = { status: 200, all: all.slice(startIndex, startIndex + count), total: all.length };
    compare({ path: page }, outcomeOf(await send({ path: page }), pick), part);
  }
  if (!mediaItems) return comparisons;
  const { data, error } = await mediaItems();
  const { status, all } = isRefused ? { status: 401, all: undefined } : expected.allMediaItems(question);
  const items = data?.list as readonly Item[] | undefined;
  compare(
    { method: 'mediaItems.get' },
    [error?.code ?? 200, items?.map(id), data?.totalResults],
    [status, all, all?.length],
  );
  return comparisons;
}

test.each(databases)(
  'on $name, everyone sees what a naive model of the rules shows them, in random worlds (contract §6, security rule 17)',
  async ({ open, name }) => {
    let comparisons = 0;
    const numRuns = name === 'SQLite' ? 100 : 20; // the rules are the same text; a server takes longer
    await fc.assert(
      fc.asyncProperty(worlds, fc.array(questions, { minLength: 4, maxLength: 4 }), async (world, all) => {
        const site = await openWorld(open, world);
        for (const question of all) comparisons += await check(await answersTo(site, question), model(world));
        await site.db.close();
      }),
      { numRuns },
    );
    expect(comparisons).toBeGreaterThan(numRuns * 4 * 16);
  },
);

test('a model with one rule less does not agree (positive control)', async () => {
  const forgets: readonly ((world: Parameters<typeof model>[0]) => Parameters<typeof model>[0])[] = [
    (world) => ({ ...world, blocks: [] }),
    (world) => ({ ...world, friends: [] }),
    (world) => ({ ...world, installs: world.installs.map((install) => ({ ...install, removed: false })) }),
    (world) => ({ ...world, installs: world.installs.map((install) => ({ ...install, visibility: 'site' })) }),
    (world) => ({ ...world, installs: world.installs.map(({ permissions: _, ...install }) => install) }),
    (world) => ({ ...world, albums: world.albums.map((one) => ({ ...one, visibility: 'site' })) }),
    (world) => ({ ...world, items: world.items.map((one) => ({ ...one, visibility: 'site' })) }),
    ...profileFields.map((field) => (world: Parameters<typeof model>[0]) => ({
      ...world,
      levels: Object.fromEntries(Object.entries(world.levels).map(([one, own]) => [one, { ...own, [field]: 'site' }])),
    })),
  ];
  // The answers of each world are compared with all models that nothing contradicted so far.
  const unnoticed = new Map(forgets.entries());
  const disagreement = fc.assert(
    fc.asyncProperty(worlds, fc.array(questions, { minLength: 4, maxLength: 4 }), async (world, all) => {
      const site = await openWorld(openServiceSqlite, world);
      for (const question of all) {
        const answers = await answersTo(site, question);
        await check(answers, model(world)); // the whole model agrees
        for (const [index, forget] of unnoticed) {
          if (!(await agrees(answers, model(forget(world))))) unnoticed.delete(index);
        }
      }
      await site.db.close();
      return unnoticed.size > 0;
    }),
    { numRuns: 3_000, endOnFailure: true },
  );
  await expect(disagreement).rejects.toThrow('Property failed');
  expect(unnoticed).toEqual(new Map());
});

async function agrees(answers: Answers, expected: ReturnType<typeof model>): Promise<boolean> {
  try {
    await check(answers, expected);
    return true;
  } catch (error) {
    if ((error as Error).name === 'AssertionError') return false;
    throw error;
  }
}
