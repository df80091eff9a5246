// Requests every operation of §4 in three formats, for five relations of the viewer and six ways to
// sign, and prints the results. Alone: npx vitest run packages/service/test/handlers/grid.test.ts
import type { SigningConsumer } from '@gantry/oauth';
import { writeSetting } from '@gantry/service';
import { type Operation, operations } from '@gantry/wire';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { ask, authorized, type Token } from '../oauth-client.ts';
import { openSite, type Site, village } from '../site.ts';
import { parseXml } from '../xml.ts';

const relations = { self: '1', friend: '2', stranger: '3', blocked: '4', unknown: '999' } as const;
type Relation = keyof typeof relations;

const formats = ['json', 'xml', 'atom'] as const;

/** A way to sign for Ann. */
interface Way {
  readonly name: string;
  readonly consumer: SigningConsumer;
  readonly token?: Token;
  readonly requestor?: string;
  readonly hasApp: boolean;
}

const world = {
  ...village,
  members: [...village.members, { id: '20', displayName: 'Administrator', admin: true }],
  albums: Object.values(relations).flatMap((ownerId) =>
    ownerId === '999' ? [] : [{ id: `a${ownerId}`, ownerId, title: `Album of ${ownerId}` }],
  ),
};

const key = (name: string): SigningConsumer => ({ key: name, secret: 'secret' });

async function waysToSign(site: Site): Promise<readonly Way[]> {
  return [
    { name: 'app, container', consumer: key('notes-container'), requestor: '1', hasApp: true },
    { name: 'app', consumer: key('notes-app'), requestor: '1', hasApp: true },
    { name: 'member', consumer: key('member-1'), requestor: '1', hasApp: false },
    {
      name: 'member, token',
      consumer: key('member-2'),
      token: await authorized(site, key('member-2'), '1'),
      hasApp: false,
    },
    { name: 'admin', consumer: key('admin-any'), requestor: '1', hasApp: false },
    {
      name: 'admin, token',
      consumer: key('admin'),
      token: await authorized(site, key('admin'), '20', 'admin'),
      requestor: '1',
      hasApp: false,
    },
  ];
}

/**
 * The result by the contract, in its order of checks: unimplemented, app, another member's data,
 * visibility, AppData's rules.
 */
function expected({ method, path, status, topic }: Operation, relation: Relation, { hasApp }: Way): number {
  if (status === 'unimplemented') return 501;
  if (path.includes('{appid}') && !hasApp) return 403;
  if (method !== 'GET') return relation === 'self' ? 200 : 403;
  if (relation === 'blocked' || relation === 'unknown') return 404;
  return topic === 'appData' && path.includes('@self') && relation === 'stranger' ? 403 : 200;
}

function pathOf({ path }: Operation, id: string): string {
  const member = path.includes('{pid}') ? '@me' : id;
  return path
    .replace(/@me|\{guid\}/, member)
    .replace('{pid}', id)
    .replace('{appid}', '@app')
    .replace('{groupid}', 'family')
    .replace('{activityid}', '1')
    .replace('{albumId}', `a${id}`)
    .replace('{mediaItemId}', 'm1');
}

const bodies: Readonly<Record<string, string>> = { activities: '{"title":"Hello"}', appData: '{"k":"v"}' };

async function statusOf(site: Site, row: Operation, { relation, format, way }: Cell): Promise<number> {
  const query = way.requestor === undefined ? '' : `&xoauth_requestor_id=${way.requestor}`;
  const body = row.method === 'POST' || row.method === 'PUT' ? (bodies[row.topic] ?? '{}') : undefined;
  const reply = await ask(site, {
    method: row.method,
    path: `/social/rest${pathOf(row, relations[relation])}?format=${format}${query}`,
    consumer: way.consumer,
    token: way.token,
    ...(body !== undefined && { body }),
  });
  if (format === 'json') JSON.parse(reply.text);
  else
    expect(parseXml(reply.text).nodeName).toMatch(
      format === 'xml' || reply.status !== 200 ? /^response$/ : /^(entry|feed)$/,
    );
  return reply.status;
}

interface Cell {
  readonly relation: Relation;
  readonly format: (typeof formats)[number];
  readonly way: Way;
}

/** A server takes longer, so each cell has one format there; each row and way have all of them. */
function formatsOf(database: string, cell: number): readonly (typeof formats)[number][] {
  return database === 'SQLite' ? formats : [formats[cell % formats.length] as (typeof formats)[number]];
}

describe.each(databases)('all rows on $name', ({ name, open }) => {
  test('answer as the contract says, in every format, to every relation and kind of key (§4, contract §4 to §6)', async () => {
    const site = await openSite(open, world);
    await writeSetting(site.db, 'minimumInterval', '0');
    const ways = await waysToSign(site);
    const lines = [['row', ...ways.map((way) => way.name)]];
    const wrong: string[] = [];
    for (const [id, row] of Object.entries(operations) as [string, Operation][]) {
      const cells = [];
      for (const way of ways) {
        const statuses = [];
        for (const [index, relation] of (Object.keys(relations) as Relation[]).entries()) {
          const right = expected(row, relation, way);
          const answered = new Set<number>();
          for (const format of formatsOf(name, index + cells.length)) {
            const status = await statusOf(site, row, { relation, format, way });
            answered.add(status);
            if (status !== right) wrong.push(`${id} ${format} ${relation} ${way.name}: ${status}, not ${right}`);
          }
          statuses.push([...answered].join('|'));
        }
        cells.push(statuses.join(' '));
      }
      lines.push([id, ...cells]);
    }
    const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
    const grid = lines.map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    const title = `${name}: status to ${Object.keys(relations).join(', ')}; in ${formats.join(', ')}`;
    process.stdout.write(`${[title, ...grid].join('\n')}\n`);
    expect(wrong).toEqual([]);
    expect(lines).toHaveLength(31);
  });
});
