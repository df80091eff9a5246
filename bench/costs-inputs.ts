import { send, sendAll, signed } from './costs-client.ts';
import type { Input, Prepare, Site } from './costs-input.ts';
import { openStreams, pageRequest } from './costs-page.ts';
import { signIns } from './costs-sign-ins.ts';
import { appKey, memberKey, otherMemberKey, owners, strangers, viewer } from './costs-world.ts';
import type { Prepared } from './http.ts';

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const keys = (count: number) => times(count, (index) => `k${index}`);

const requests =
  (make: (site: Site) => Prepared | readonly Prepared[], atOnce = 64): Prepare =>
  async (site) => {
    const list = [make(site)].flat();
    return async () => ({ answers: await sendAll(list, atOnce) });
  };

const stranger = { key: 'unknown', secret: 'unknown' };

/** A form whose key the site does not know. */
const anonymousForm = (body: string) =>
  requests(({ url }) =>
    signed(
      { consumer: stranger },
      {
        url: `${url}/oauth/request_token`,
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      },
    ),
  );

const json = { 'Content-Type': 'application/json' };

const rpc = (body: unknown, consumer?: typeof appKey) =>
  requests(({ url }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const call = { url: `${url}/social/rpc`, method: 'POST', headers: json, body: text } as const;
    return consumer ? signed({ consumer, as: viewer.id }, call) : call;
  });

const readSelf = { method: 'people.get', params: { groupId: '@self' } };
const named = (names: readonly string[]) => ({
  ...readSelf,
  params: { ...readSelf.params, ...Object.fromEntries(names.map((name) => [name, '1'])) },
});
const oneName = [`%${'25'.repeat(100_000)}`];
const manyNames = times(500, (index) => `${index}%${'25'.repeat(1_000)}`);

const parameterNames = [
  { what: 'A parameter name of 200 KB', names: oneName },
  { what: '500 parameter names of 2 KB', names: manyNames },
].flatMap(({ what, names }): Input[] => [
  {
    name: `${what}, form to /oauth/request_token, anonymous`,
    ordinary: 'a form of three names',
    attack: anonymousForm(names.map((name) => `${name}=1`).join('&')),
    control: anonymousForm('a=1&b=2&c=3'),
  },
  {
    name: `${what}, JSON-RPC call, anonymous`,
    ordinary: 'a read of oneself, anonymous',
    attack: rpc(named(names)),
    control: rpc(readSelf),
  },
  {
    name: `${what}, JSON-RPC call, key of a member`,
    ordinary: 'a read of oneself',
    attack: rpc(named(names), memberKey),
    control: rpc(readSelf, memberKey),
  },
]);

const pageBody = (path: string, tokens: Readonly<Record<string, string>>) =>
  JSON.stringify({ tokens, ...(path === '/gantry/events' ? { since: ['x'] } : { calls: [] }) });
const manyTokens = Object.fromEntries(times(50_000, (index) => [`t${index}`, 'x']));

const tokens = ['/gantry/events', '/gantry/calls'].flatMap((path): Input[] => [
  {
    name: `50,000 tokens to ${path}, anonymous`,
    ordinary: 'one token',
    attack: requests(({ url }) => pageRequest(url, path, pageBody(path, manyTokens))),
    control: requests(({ url }) => pageRequest(url, path, pageBody(path, { t: 'x' }))),
  },
  {
    name: `50,000 tokens to ${path}, a member`,
    ordinary: 'one token',
    attack: requests(({ page }) => page.post(path, pageBody(path, manyTokens))),
    control: requests(({ page }) => page.post(path, pageBody(path, { t: 'x' }))),
  },
]);

const deep = '['.repeat(400_000) + ']'.repeat(400_000);

const friendsData = (count: number, params = {}) =>
  rpc(
    times(count, (id) => ({ method: 'appdata.get', id, params: { groupId: '@friends', ...params } })),
    appKey,
  );

const listOfKeys = (count: number) => rpc({ method: 'appdata.get', params: { keys: keys(count) } }, appKey);

/** Writes of 64 members at once. */
const writes = (keysOfEach: number) =>
  requests(({ url }) =>
    strangers.slice(0, 64).map((as) =>
      signed(
        { consumer: appKey, as },
        {
          url: `${url}/social/rest/appdata/@me/@self/@app`,
          method: 'POST',
          headers: json,
          body: JSON.stringify(Object.fromEntries(keys(keysOfEach).map((key) => [key, String(Date.now() % 1_000)]))), // new values
        },
      ),
    ),
  );

/** 200 members post while the viewer's pages listen for others; the first of those posts last. */
const posts =
  (streams: number, ownersOfEach: number): Prepare =>
  async ({ url, page }) => {
    const listenedTo = owners.slice(0, ownersOfEach);
    const gadgets = await page.mount(listenedTo);
    const tokens = Object.fromEntries(gadgets.map(({ instance, token }) => [instance, token]));
    const body = JSON.stringify({ tokens, since: [gadgets[0]?.since] });
    const listening = await openStreams(page, new Array(streams).fill(body));
    const post = (as = '') =>
      signed(
        { consumer: appKey, as },
        {
          url: `${url}/social/rest/activities/@me/@self`,
          method: 'POST',
          headers: json,
          body: JSON.stringify({ title: 'Hello' }),
        },
      );
    const list = strangers.map((as) => post(as));
    const last = post(listenedTo[0]);
    return async () => {
      const answers = [...(await sendAll(list, 16)), await send(last)];
      await listening.until(`"member":"${listenedTo[0]}"`);
      listening.end();
      return { answers };
    };
  };

const requestTokens = requests(
  ({ url }) =>
    times(3_000, () => signed({ consumer: otherMemberKey }, { url: `${url}/oauth/request_token`, method: 'POST' })),
  32,
);
const reads = requests(
  ({ url }) =>
    times(3_000, () =>
      signed({ consumer: otherMemberKey, as: '2' }, { url: `${url}/social/rest/people/@me/@self`, method: 'GET' }),
    ),
  32,
);

export const inputs: readonly Input[] = [
  ...parameterNames,
  {
    name: '350,000 form pairs to /oauth/request_token, anonymous',
    ordinary: 'three pairs',
    attack: anonymousForm(new Array(350_000).fill('a').join('&')),
    control: anonymousForm('a=1&b=2&c=3'),
  },
  ...tokens,
  {
    name: 'JSON 400,000 deep, JSON-RPC, key of a member',
    ordinary: 'a read of oneself',
    attack: rpc(deep, memberKey),
    control: rpc(readSelf, memberKey),
  },
  {
    name: 'JSON 400,000 deep to /gantry/calls, a member',
    ordinary: 'an empty list of calls',
    attack: requests(({ page }) => page.post('/gantry/calls', deep)),
    control: requests(({ page }) => page.post('/gantry/calls', pageBody('/gantry/calls', {}))),
  },
  {
    name: 'JSON-RPC batch of 100 reads of 100 activities with the longest titles and addresses, key of a member',
    ordinary: 'a batch of 100 reads of oneself',
    attack: rpc(
      times(100, (id) => ({ method: 'activities.get', id, params: { groupId: '@self', count: 100 } })),
      memberKey,
    ),
    control: rpc(
      times(100, (id) => ({ ...readSelf, id })),
      memberKey,
    ),
  },
  {
    name: 'AppData of 150 friends with 95 kB each, batch of 30, key of an app',
    ordinary: 'a batch of 30 reads of one short key of theirs',
    attack: friendsData(30),
    control: friendsData(30, { keys: ['small'] }),
  },
  {
    name: 'A list of 33,000 keys, JSON-RPC, key of an app',
    ordinary: 'a list of three keys',
    attack: listOfKeys(33_000),
    control: listOfKeys(3),
  },
  {
    name: '64 AppData writes of 34,000 keys at once',
    ordinary: 'of two keys',
    attack: writes(34_000),
    control: writes(2),
  },
  {
    name: '64 AppData writes of 1,000 keys at once',
    ordinary: 'of two keys',
    attack: writes(1_000),
    control: writes(2),
  },
  {
    name: '200 posts of others, while 30 streams of events listen to 200 owners each',
    ordinary: 'the posts, while one stream listens to one owner',
    attack: posts(30, 200),
    control: posts(1, 1),
  },
  ...signIns,
  {
    name: '3,000 request tokens of one key',
    ordinary: 'as many reads of oneself',
    attack: requestTokens,
    control: reads,
  },
];
