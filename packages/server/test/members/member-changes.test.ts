import type { SiteRecord } from '@gantry/service';
import { type Change, dependsOn, type Instance, type ResourceRequest, resolveRequest } from '@gantry/wire';
import { silentLogger } from '@gantry/wire/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '../../../proxy/test/events/event-reader.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { addApp, createGantry, type Gantry } from '../../src/index.ts';

// The table of the site owner's guide: which results on open pages an event makes stale at once,
// and what the site answers from then on.

const url = 'http://localhost:4400';
const reads = {
  friends: { operation: 'people.get', params: { groupId: '@friends' } },
  profile: { operation: 'people.get', params: { userId: 'bo' } },
  posts: { operation: 'activities.get', params: { groupId: '@friends' } },
} satisfies Record<string, ResourceRequest>;

let gantry: Gantry;
let data: string;
beforeEach(async () => {
  data = folderForTest();
  gantry = await createGantry({
    ...{ data, url, log: silentLogger },
    viewer: (request) => request.headers.get('member') ?? undefined,
  });
  const names = { ann: 'Ann', bo: 'Bo', dee: 'Dee' };
  await gantry.saveRecords([
    ...Object.entries(names).map(([id, displayName]) => ({ kind: 'member', id, displayName }) as const),
    { kind: 'friendship', members: ['ann', 'bo'] },
    { kind: 'activity', id: '1', userId: 'bo', title: 'Hello', postedTime: '2026-05-01T09:30:00Z' },
  ]);
  const manifest = { page: 'index.html', uses: ['people.get', 'activities.get'] };
  const app = { id: 'look', url: 'https://apps.example/look', title: 'Look', manifest, trusted: true };
  await addApp(gantry.stores, app);
});
afterEach(() => gantry.close());

function post(path: string, member: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'gantry-container': '1', origin: url, member };
  return gantry.fetch(new Request(url + path, { method: 'POST', headers, body: JSON.stringify(body) }), path);
}

/** Opens a page: its stream, and the function that asks the site what its apps would read. */
async function openPage(viewer: string) {
  const [mounted] = (await (await post('/gantry/instances', viewer, [{ app: 'look' }])).json()) as [{ ok: Instance }];
  const { instance, token, since } = mounted.ok;
  const events = readEvents(await post('/gantry/events', viewer, { tokens: { [instance]: token }, since: [since] }));
  await events.next(); // the position at which it begins
  return {
    /** Returns the reads that the next changes make stale. */
    async stale(): Promise<readonly string[]> {
      const changes = (await events.next())?.data as readonly Change[];
      const isStale = ([, read]: readonly [string, ResourceRequest]) => {
        const request = resolveRequest(read, { app: 'look', viewer });
        return changes.some((change) => dependsOn(request, 'look', change));
      };
      return Object.entries(reads)
        .filter(isStale)
        .map(([name]) => name);
    },
    async read(name: keyof typeof reads): Promise<string> {
      const body = { tokens: { [instance]: token }, calls: [{ id: 'c', instance, ...reads[name] }] };
      const reply = await (await post('/gantry/calls', viewer, body)).json();
      return JSON.stringify(reply.ok ?? reply.error.data.reason);
    },
    leave: () => events.leave(),
  };
}

describe('open pages, and what their apps read from then on', () => {
  const cases: readonly {
    readonly who: string;
    readonly record: SiteRecord;
    readonly stale: readonly string[];
    readonly answers: Readonly<Record<keyof typeof reads, unknown>>;
  }[] = [
    {
      who: 'a renamed friend shows at once, in lists and by themselves',
      record: { kind: 'member', id: 'bo', displayName: 'Benedict' },
      stale: ['friends', 'profile', 'posts'],
      answers: {
        friends: expect.stringContaining('Benedict'),
        profile: expect.stringContaining('Benedict'),
        posts: expect.stringContaining('Hello'),
      },
    },
    {
      who: 'a friend who blocks the viewer leaves lists at once, and is found by nothing that is asked',
      record: { kind: 'block', members: ['bo', 'ann'] },
      stale: ['friends', 'posts'],
      answers: {
        friends: expect.not.stringContaining('Bo'),
        profile: '"NOT_FOUND"',
        posts: expect.not.stringContaining('Hello'),
      },
    },
    {
      who: 'a deleted friend leaves lists at once, and is found by nothing that is asked',
      record: { kind: 'member', id: 'bo', deleted: true },
      stale: ['friends', 'posts'],
      answers: {
        friends: expect.not.stringContaining('Bo'),
        profile: '"NOT_FOUND"',
        posts: expect.not.stringContaining('Hello'),
      },
    },
  ];
  test.each(cases)('$who', async ({ record, stale, answers }) => {
    const page = await openPage('ann');
    expect(await page.read('friends')).toContain('Bo');
    expect(await page.read('profile')).toContain('Bo');
    expect(await page.read('posts')).toContain('Hello');
    await gantry.saveRecords([record]);
    expect(await page.stale()).toEqual(stale);
    for (const name of ['friends', 'profile', 'posts'] as const) expect(await page.read(name)).toEqual(answers[name]);
    await page.leave();
  });

  test('a stranger’s page hears nothing of a rename, and gets the new name with its next question', async () => {
    const page = await openPage('dee');
    expect(await page.read('profile')).toContain('Bo');
    await gantry.saveRecords([{ kind: 'member', id: 'bo', displayName: 'Benedict' }]);
    await gantry.saveRecords([{ kind: 'friendship', members: ['dee', 'ann'] }]); // heard by both
    expect(await page.stale()).toEqual(['friends', 'posts']);
    expect(await page.read('profile')).toContain('Benedict');
    await page.leave();
  });
});
