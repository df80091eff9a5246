import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMetrics, type EdgeRefusal } from '../../src/telemetry/metrics.ts';

const root = new URL('../../../../', import.meta.url);
const guide = readFileSync(new URL('docs/guides/operations.md', root), 'utf8');

const values = {
  turnedAway: ['overloaded', 'waited', 'failures', 'answers', 'malformed'] satisfies EdgeRefusal[],
  reads: ['kept', 'confirmed', 'asked', 'joined'],
  attempts: ['answered', 'unavailable', 'unreachable', 'late'],
  limits: ['rate', 'concurrency'],
} as const;

/** Returns the output of `/metrics` after one event of each kind. */
async function output(): Promise<readonly string[]> {
  const metrics = createMetrics({
    load: { inFlight: 0, lagSeconds: 0, isOverloaded: false },
    admission: { waiting: 0 },
  });
  const call = { operation: 'people.getMe', status: 200, format: 'json', seconds: 1, isCall: false } as const;
  metrics.request({ area: 'rest', status: 200, seconds: 1 });
  metrics.answered({ ...call, reason: undefined, consumerKey: 'key' });
  metrics.answered({ ...call, reason: 'nonce_used', consumerKey: undefined });
  metrics.stored({ kind: 'query', seconds: 1, failure: 'full' });
  metrics.routed('standby');
  const request = {
    app: 'a',
    operation: 'people.getMe',
    requestor: '1',
    target: '/',
    seconds: 1,
    method: 'GET',
  } as const;
  for (const reason of values.turnedAway) metrics.refusedAtEdge(reason);
  for (const outcome of values.attempts) metrics.proxied.attempt({ ...request, outcome });
  for (const outcome of values.reads) metrics.proxied.cache(outcome, undefined as never);
  for (const limit of values.limits) metrics.proxied.limited(limit, { app: 'a' });
  metrics.proxied.breaker(() => 'closed');
  metrics.streams(() => 0);
  return (await metrics.text()).split('\n');
}

/** Rows of the guide's table: the labels of each name, and the row itself. */
const documented = new Map(
  [...guide.matchAll(/^\| (`gantry_.*?) \|(.*?)\| (.*) \|$/gm)].flatMap(([row, names = '', labels = '']) =>
    words(names).map((name) => [name, { labels: words(labels), row }] as const),
  ),
);

function words(text: string): readonly string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
}

test('the guide names every metric of ours with exactly the labels that /metrics prints, and no other', async () => {
  const printed = new Map<string, ReadonlySet<string>>();
  const lines = await output();
  for (const line of lines) {
    const [, name = '', labels = ''] = /^(gantry_\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === '') continue;
    const keys = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label).filter((label) => label !== 'le');
    printed.set(name, new Set([...(printed.get(name) ?? []), ...keys]));
  }
  const asLists = (entries: Iterable<readonly [string, Iterable<string>]>) =>
    [...entries].map(([name, labels]) => `${name} ${[...labels].join(' ')}`.trim()).sort();
  expect(asLists([...documented].map(([name, { labels }]) => [name, labels]))).toEqual(asLists(printed));
  for (const [, family = ''] of guide.matchAll(/`(process|nodejs)_\*`/g)) {
    expect(lines.some((line) => line.startsWith(`${family}_`))).toBe(true);
  }
});

test.each([
  ['gantry_turned_away_total', values.turnedAway],
  ['gantry_proxy_reads_total', values.reads],
  ['gantry_upstream_seconds', values.attempts],
  ['gantry_app_calls_limited_total', values.limits],
] as const)('the guide names each value of the label of %s', (name, all) => {
  const row = documented.get(name)?.row ?? '';
  expect(all.filter((value) => !row.includes(`\`${value}\``))).toEqual([]);
});

test('the guide’s alerts ask for metrics that there are', () => {
  const [, alerts = ''] = /Useful alerts:\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const named = [...alerts.matchAll(/gantry_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !documented.has(name))).toEqual([]);
});
