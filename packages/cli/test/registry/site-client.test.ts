import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { siteAddress } from '../../src/registry/site-address.ts';
import { createSiteClient } from '../../src/registry/site-client.ts';

/** A server that answers in turn, and a client of it that waits for no time. */
async function served(...answers: ((incoming: IncomingMessage, outgoing: ServerResponse) => void)[]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    incoming.resume().on('end', () => answer?.(incoming, outgoing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const site = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const paused: number[] = [];
  const pause = async (ms: number) => void paused.push(ms);
  return { asked, paused, site, client: createSiteClient({ site, key: 'a.key', pause }) };
}

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const failure = (message: string) => ({ error: { code: 1, message } });

test('a request is repeated while the site is away or busy, as long as it asks for', async () => {
  const { client, paused, asked } = await served(
    (incoming) => incoming.socket.destroy(),
    says(503, failure('busy'), { 'Retry-After': '3' }),
    says(429, failure('too much'), { 'Retry-After': '900' }),
    says(200, { may: 'live' }),
  );
  expect(await client.get('/key')).toEqual({ may: 'live' });
  expect(paused).toEqual([1_000, 3_000, 60_000]);
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(new Array(4).fill('Bearer a.key'));
});

test('a refusal is not repeated, and its text cannot move the cursor (security rule 38)', async () => {
  const { client, asked } = await served(says(403, failure('no \u001b[2Jentry')));
  await expect(client.post('/apps/quiz/pause', {})).rejects.toMatchObject({
    status: 403,
    message: 'no \\u{1b}[2Jentry',
  });
  expect(asked).toHaveLength(1);
});

test('a key follows no redirect to another address (security rule 8)', async () => {
  const other = await served(says(200, {}));
  const { client } = await served(says(307, '', { Location: `${other.site}/gantry/registry/key` }));
  await expect(client.get('/key')).rejects.toMatchObject({ status: 307 });
  expect(other.asked).toHaveLength(0);
});

test('an answer that is not from Gantry says what may be wrong', async () => {
  const page = await served(says(404, '<html>nginx</html>'));
  await expect(page.client.get('/key')).rejects.toThrow('answers 404, which is not from Gantry: is /gantry/ passed on');
  const proxy = await served(says(413, '<html>nginx</html>'));
  await expect(proxy.client.put('/chunks/x', new Uint8Array(1))).rejects.toThrow('takes no bodies of 256 KiB');
  const blog = await served(says(200, '<html>blog</html>'));
  await expect(blog.client.get('/key')).rejects.toThrow('without JSON: is it a Gantry?');
});

test('a site that is away for good is given up', async () => {
  const { client, paused } = await served((incoming) => incoming.socket.destroy());
  await expect(client.get('/key')).rejects.toThrow('cannot be reached');
  expect(paused).toHaveLength(6);
});

test.each(['https://social.example', 'http://localhost:4400', 'http://127.0.0.1:4400', 'http://[::1]:4400'])(
  'a key may go to %s',
  (site) => {
    expect(siteAddress(site)).toBe(site);
  },
);

test.each(['http://social.example', 'social.example', 'https://social.example/app', 'ftp://localhost', 'https://x/?a'])(
  'a key may not go to %s (decision 82)',
  (site) => {
    expect(() => siteAddress(site)).toThrow(site);
  },
);
