import type { Agent } from 'node:http';
import type { CallsRequest, Instance, InstanceAnswer } from '@gantry/wire';
import { type Prepared, send } from '../http.ts';
import { type BenchSite, friendsUrl, signed } from '../site.ts';

/** A request that is counted: each one that it prepares costs the server the same. */
export interface CountedRequest {
  readonly name: string;
  readonly status: number;
  prepare(): Promise<Prepared>;
}

/** Returns the requests that are counted, for a site that is running. */
export async function countedRequests(
  { url, consumer }: Pick<BenchSite, 'url' | 'consumer'>,
  agent: Agent,
): Promise<readonly CountedRequest[]> {
  const list = (headers = {}): Prepared => {
    return { url: friendsUrl(url), method: 'GET', headers: { ...signed(url, consumer), ...headers } };
  };
  const mount = (owner: number) => instanceOf({ url }, agent, { owner: String(owner) });
  const { headers } = await send(agent, list());
  const first = await mount(1);
  let owner = 2;
  const fixed: Prepared = { url: `${url}/static`, method: 'GET', headers: {} };
  return [
    { name: 'a static answer', status: 200, prepare: async () => fixed },
    { name: 'a verified list', status: 200, prepare: async () => list() },
    { name: 'an unchanged list', status: 304, prepare: async () => list({ 'If-None-Match': headers.etag ?? '' }) },
    {
      name: 'an instance',
      status: 200,
      prepare: async () => post(url, 'instances', [{ app: 'bench', owner: '1' }]),
    },
    { name: 'a proxied read', status: 200, prepare: async () => read(url, await mount(owner++)) },
    { name: 'a cached proxied read', status: 200, prepare: async () => read(url, first) },
  ];
}

/** Mounts the bench app for a member on the page of another. */
export async function instanceOf(
  { url }: Pick<BenchSite, 'url'>,
  agent: Agent,
  { viewer = '1', owner = '1' }: { readonly viewer?: string; readonly owner?: string },
): Promise<Instance> {
  const asked = post(url, 'instances', [{ app: 'bench', owner }]);
  const { text } = await send(agent, { ...asked, headers: { ...asked.headers, viewer } });
  const [answer] = JSON.parse(text) as InstanceAnswer[];
  if (!answer || !('ok' in answer)) throw new Error('The bench app is not there.');
  return answer.ok;
}

function read(url: string, { instance, token }: Instance): Prepared {
  const call = { id: '1', instance, operation: 'people.get', params: { groupId: '@friends' } };
  const body: CallsRequest = { tokens: { [instance]: token }, calls: [call] };
  return post(url, 'calls', body);
}

function post(url: string, path: string, body: unknown): Prepared {
  const headers = { 'Content-Type': 'application/json', 'Gantry-Container': '1', Origin: url };
  return { url: `${url}/gantry/${path}`, method: 'POST', headers, body: JSON.stringify(body) };
}
