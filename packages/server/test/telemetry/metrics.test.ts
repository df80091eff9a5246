import { request as httpRequest } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type RunningSite, runSite, signed } from '../running-site.ts';

let site: RunningSite;
afterEach(() => site.stop());

/** One sample of the metrics, by name and labels as they are printed. */
async function sample(line: string): Promise<number | undefined> {
  const text = await (await fetch(`${site.server.url}/metrics`)).text();
  const match = text.split('\n').find((one) => one.startsWith(`${line} `));
  return match === undefined ? undefined : Number(match.slice(line.length + 1));
}

async function series(): Promise<readonly string[]> {
  const text = await (await fetch(`${site.server.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('gantry_'));
  return lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
}

/** Status of a request with headers that `fetch` would not let one choose. */
function statusOf(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest(new URL(path, site.server.url), { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test('operations are counted by row, status and format, and 304 is a status like any', async () => {
  site = await runSite();
  const first = await site.ask('/people/@me/@self');
  await site.ask('/people/@me/@self', { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });
  await site.ask('/people/404/@self');
  const counted = (labels: string) => sample(`gantry_operations_total{${labels}}`);
  expect(await counted('operation="people.getMe",status="200",format="json"')).toBe(1);
  expect(await counted('operation="people.getMe",status="304",format="other"')).toBe(1);
  expect(await counted('operation="people.getSelf",status="404",format="json"')).toBe(1);
  expect(await sample('gantry_operation_seconds_count{operation="people.getMe"}')).toBe(2);
  expect(await sample('gantry_http_requests_total{area="rest",status="200"}')).toBe(1);
});

test('each call of a JSON-RPC request is counted by its row, its signature once (contract §8)', async () => {
  site = await runSite();
  const url = `${site.server.url}/social/rpc`;
  const body = [
    { method: 'people.get' },
    { method: 'people.get', params: { userId: '404' } },
    { method: 'albums.get' },
  ];
  expect((await fetch(url, signed(url, { method: 'POST', body }))).status).toBe(200);
  const counted = (labels: string) => sample(`gantry_operations_total{${labels}}`);
  expect(await counted('operation="people.getSelf",status="404",format="json"')).toBe(1);
  expect(await counted('operation="albums.get",status="200",format="json"')).toBe(1);
  expect(await sample('gantry_operation_seconds_count{operation="albums.get"}')).toBe(1);
  expect(await sample('gantry_authorizations_total{outcome="accepted"}')).toBe(1);
  expect(await sample('gantry_http_requests_total{area="rpc",status="200"}')).toBe(1);
});

test('refusals are counted by reason, and signatures by what became of them', async () => {
  site = await runSite();
  await site.ask('/people/@me/@self');
  await site.ask('/people/@me/@self', { secret: 'guess' });
  await fetch(`${site.server.url}/social/rest/people/@me/@self`);
  await site.ask('/nothing');
  expect(await sample('gantry_authorizations_total{outcome="accepted"}')).toBe(1);
  expect(await sample('gantry_authorizations_total{outcome="signature_invalid"}')).toBe(1);
  expect(await sample('gantry_refusals_total{reason="parameter_absent"}')).toBe(1);
  expect(await sample('gantry_refusals_total{reason="NOT_FOUND"}')).toBe(1);
});

test('store times, requests in flight, the event loop and the process are there', async () => {
  site = await runSite();
  await site.ask('/appdata/@me/@self/@app', { method: 'POST', body: { key: 'value' } });
  expect(await sample('gantry_store_seconds_count{kind="query"}')).toBeGreaterThan(0);
  expect(await sample('gantry_requests_in_flight')).toBe(1);
  expect(await sample('gantry_overloaded')).toBe(0);
  expect(await sample('gantry_event_loop_lag_seconds')).toBeGreaterThanOrEqual(0);
  expect(await sample('process_resident_memory_bytes')).toBeGreaterThan(1e6);
});

test('no text of a client becomes a label: made-up names add no series (security rule 8)', async () => {
  site = await runSite();
  const nonsense = async (round: number) => {
    const word = `made-up-${round}`;
    await site.ask(`/${word}/@me`);
    await site.ask(`/people/${word}/@self?format=${word}&count=${word}`);
    await site.ask('/people/@me/@self', { key: word, secret: word });
    await site.ask('/people/@me/@self', { headers: { 'X-Request-Id': word, 'User-Agent': word } });
    await site.ask('/people/@me/@self', { method: 'PATCH' });
    await fetch(`${site.server.url}/${word}?${word}`, { method: 'POST', body: word });
    await fetch(`${site.server.url}/gantry/${word}`);
  };
  await nonsense(0);
  await series();
  const before = await series();
  for (let round = 1; round <= 30; round++) await nonsense(round);
  expect(await series()).toEqual(before);
  expect(before.join('\n')).not.toContain('made-up');
});

test('a local site shows its metrics to this machine only, by a name of this machine', async () => {
  site = await runSite();
  const { port } = new URL(site.server.url);
  expect(await statusOf('/metrics', {})).toBe(200);
  expect(await statusOf('/metrics', { Host: `127.0.0.1:${port}` })).toBe(200);
  expect(await statusOf('/metrics', { Host: `127.9.9.9:${port}` })).toBe(200);
  expect(await statusOf('/metrics', { Host: `rebound.example:${port}` })).toBe(403);
  expect(await statusOf('/metrics', { Host: `127.rebound.example:${port}` })).toBe(403);
});

test('a public site shows them to nobody without a token: its proxy may be on this machine', async () => {
  site = await runSite(['--url', 'https://social.example']);
  const { port } = site;
  const ask = (headers: Record<string, string>) => statusOf(`http://127.0.0.1:${port}/metrics`, headers);
  expect(await ask({})).toBe(403);
  expect(await ask({ Host: 'social.example' })).toBe(403);
  expect(await ask({ Authorization: 'Bearer ' })).toBe(403);
});

test('with a token only whoever sends it reads them, from anywhere', async () => {
  const token = 'a-token-for-prometheus';
  site = await runSite(['--url', 'https://social.example'], { GANTRY_METRICS_TOKEN: token });
  const ask = (headers: Record<string, string>) => statusOf(`http://127.0.0.1:${site.port}/metrics`, headers);
  expect(await ask({})).toBe(401);
  expect(await ask({ Authorization: `Bearer ${token}x` })).toBe(401);
  expect(await ask({ Authorization: `Bearer ${token}` })).toBe(200);
  expect(await ask({ Authorization: `Bearer ${token}`, Host: 'social.example' })).toBe(200);
});
