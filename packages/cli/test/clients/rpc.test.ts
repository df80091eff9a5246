import { OAuth } from 'oauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSite, runSite } from '../running-site.ts';

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
});
afterAll(() => site.stop());

/** Calls of member 1, signed and sent by a client that is not ours. */
function client(path: string, calls: unknown, type = 'application/json'): Promise<unknown> {
  const oauth = new OAuth('', '', 'notes-key', 'notes-secret', '1.0', null, 'HMAC-SHA1');
  const url = `${site.server.url}${path}?xoauth_requestor_id=1`;
  return new Promise((resolve, reject) => {
    oauth.post(url, '', '', JSON.stringify(calls), type, (error, data) => {
      if (error) reject(new Error(`${error.statusCode} ${error.data}`));
      else resolve(JSON.parse(String(data)));
    });
  });
}

test.each([
  ['/social/rpc', 'data', 'application/json'],
  ['/rpc', 'result', 'application/json-rpc'],
])(
  'a client that is not ours makes a batch of calls at %s, answered under %s (contract §8)',
  async (path, member, type) => {
    const calls = [
      { method: 'appdata.update', id: 'write', params: { userId: '@me', appId: '@app', data: { best: path } } },
      { method: 'appdata.get', id: 'read', params: { userId: ['@me'], groupId: '@self', keys: ['best'] } },
      { method: 'people.get', id: 3, params: { groupId: '@friends', count: '1' } },
      { method: 'people.get', id: 4, params: { userId: '404' } },
    ];
    expect(await client(path, calls, type)).toMatchObject([
      { id: 'write', [member]: {} },
      { id: 'read', [member]: { '1': { best: path } } },
      { id: 3, [member]: { list: [{ id: '2', displayName: 'Bo' }], startIndex: 0, totalResults: 2, itemsPerPage: 1 } },
      { id: 4, error: { code: 404 } },
    ]);
  },
);

test('a batch that is not JSON is HTTP 400 for such a client (contract §8)', async () => {
  await expect(client('/rpc', 'text')).rejects.toThrow('400 {"error":{"code":400');
});
