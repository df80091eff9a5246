import { join } from 'node:path';
import { listMembers } from '@gantry/service';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { addApp, createGantry, type Gantry } from '../../src/index.ts';
import { openPage } from '../gadget-page.ts';

const url = 'http://localhost:4400';
const databases: readonly { readonly name: string; readonly open: () => Promise<string | undefined> }[] = [
  { name: 'SQLite', open: async () => undefined },
  { name: 'PostgreSQL', open: async () => (await createSchema()).url },
];

describe.each(databases)('records that a site saves in its own process, on $name', ({ open }) => {
  let data: string;
  let gantry: Gantry;
  beforeEach(async () => {
    data = folderForTest();
    const viewer = (request: Request) => request.headers.get('member') ?? undefined;
    gantry = await createGantry({ data, database: await open(), url, viewer, log: pino({ level: 'silent' }) });
    const folder = join(import.meta.dirname, '../../../cli/starters/friends');
    await addApp(gantry.stores, { id: 'friends', folder, trusted: true });
    await gantry.saveRecords([
      { kind: 'member', id: 'm-1', displayName: 'Ada' },
      { kind: 'member', id: 'm-2', displayName: 'Bo' },
      { kind: 'friendship', members: ['m-1', 'm-2'] },
    ]);
  });
  afterEach(() => gantry.close());

  async function friendsOfAda(): Promise<unknown> {
    const page = openPage(gantry, { url, member: 'm-1' });
    const reply = await page.call('friends', 'people.get', { userId: '@viewer', groupId: '@friends' });
    return 'ok' in reply ? (reply.ok as { list: { displayName: string }[] }).list.map((one) => one.displayName) : reply;
  }

  test('are what gadgets see, at once, when they change, and when they end (contract §9)', async () => {
    expect(await friendsOfAda()).toEqual(['Bo']);
    const saved = await gantry.saveRecords([
      { kind: 'member', id: 'm-2', displayName: 'Bobby' },
      { kind: 'member', id: 'm-3', displayName: 'Cy' },
      { kind: 'friendship', members: ['m-3', 'm-1'] },
    ]);
    expect(saved).toEqual({ records: 3, counts: { members: 2, friendships: 1 } });
    expect(await friendsOfAda()).toEqual(['Bobby', 'Cy']);
    await gantry.saveRecords([
      { kind: 'friendship', members: ['m-1', 'm-3'], deleted: true },
      { kind: 'member', id: 'm-2', deleted: true },
    ]);
    expect(await friendsOfAda()).toEqual([]);
  });

  test('are stored all or none, and the first bad one is named (contract §9)', async () => {
    const cy = { kind: 'member', id: 'm-3', displayName: 'Cy' } as const;
    await expect(gantry.saveRecords([cy, { kind: 'friendship', members: ['m-3', 'm-9'] }])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Record 1: friendship.members[1] names a member that does not exist: "m-9".',
    });
    await expect(gantry.saveRecords([cy, JSON.parse('{"kind":"member","id":"m 4"}')])).rejects.toMatchObject({
      message: expect.stringMatching(/^Record 1: member\.id must be an id/),
    });
    expect((await listMembers(gantry.stores.db, {})).map(({ id }) => id)).toEqual(['m-1', 'm-2']);
  });

  test('may be an empty list, and are refused outside a list', async () => {
    expect(await gantry.saveRecords([])).toEqual({ records: 0, counts: {} });
    await expect(gantry.saveRecords(JSON.parse('{"kind":"member"}'))).rejects.toThrow(/must be a list/);
  });
});
