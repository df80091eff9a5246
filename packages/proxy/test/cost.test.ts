import { checkManifest } from '@gantry/proxy';
import { resolveRequest } from '@gantry/wire';
import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';
import { jsonProblem } from '../src/apps/json-problem.ts';
import { replyOf } from '../src/replies/reply.ts';
import { openSite } from './site.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);
const asker = { app: 'notes', viewer: '7', owner: '7' };

/** Converts a site's answer to an app's reply. */
function convert(text: string, status = 200): () => unknown {
  const request = resolveRequest({ operation: 'appdata.get', params: {} }, asker);
  return () => replyOf({ status, text }, { request, asker, hidden: ['key', 'secret'], nowMs: 0 });
}

function refused(work: () => unknown): () => unknown {
  return () => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
}

/** Posts one body as a page of the site would. */
async function posting(path: string, body: unknown): Promise<() => Promise<unknown>> {
  const site = await openSite();
  const text = JSON.stringify(body);
  return async () => (await site.post(path, text)).text();
}

test.each<[string, number, (size: number) => (() => unknown) | Promise<() => unknown>]>([
  [
    'the AppData of a site',
    3_000,
    (size) => convert(JSON.stringify({ entry: { 7: Object.fromEntries(names(size).map((n) => [n, n])) } })),
  ],
  ['an answer of a site, deep', 20_000, (size) => convert(`{"entry":${'['.repeat(size)}`)],
  ['an error page of unclosed tags', 5_000, (size) => convert('<script><a '.repeat(size), 500)],
  ['an error page of open scripts', 5_000, (size) => convert(`<script${'</script'.repeat(size)}`, 500)],
  [
    'a manifest of many hosts',
    200,
    (size) => {
      const manifest = { name: 'A', page: 'a.html', hosts: names(size) };
      return refused(() => checkManifest(manifest));
    },
  ],
  [
    'a manifest of many views',
    3_000,
    (size) => {
      const manifest = { name: 'A', page: 'a.html', views: Object.fromEntries(names(size).map((n) => [n, n])) };
      return refused(() => checkManifest(manifest));
    },
  ],
  [
    'a manifest of many languages',
    200,
    (size) => {
      const languages = Object.fromEntries(names(size).map((n) => [`de-${n}`, { name: n }]));
      return refused(() => checkManifest({ name: 'A', page: 'a.html', languages }));
    },
  ],
  ['a manifest that is no JSON', 1_500, (size) => () => jsonProblem(`[${'1,\n'.repeat(size)}`)],
  [
    'calls in a body',
    20,
    (size) =>
      posting('/gantry/calls', {
        tokens: {},
        calls: names(size).map((id) => ({ id, instance: 'i', operation: 'people.get' })),
      }),
  ],
  [
    'calls beyond the bound',
    1_500,
    (size) =>
      posting('/gantry/calls', {
        tokens: {},
        calls: names(size).map((id) => ({ id, instance: 'i', operation: 'people.get' })),
      }),
  ],
  [
    'bad tokens in a body',
    20,
    (size) =>
      posting('/gantry/calls', {
        tokens: Object.fromEntries(names(size).map((n) => [n, 'a.b.c'])),
        calls: names(size).map((n) => ({ id: n, instance: n, operation: 'people.get' })),
      }),
  ],
  [
    'tokens beyond the bound',
    3_000,
    (size) =>
      posting('/gantry/events', { tokens: Object.fromEntries(names(size).map((n) => [n, 'a.b.c'])), since: ['x'] }),
  ],
  [
    'gadgets of unknown versions in a body',
    10,
    (size) =>
      posting(
        '/gantry/instances',
        names(size).map((_, index) => ({ app: 'friends', version: `${index}`.padStart(64, '0') })),
      ),
  ],
  ['decisions in a body', 1_000, (size) => posting('/gantry/grants', { token: 'x', grant: names(size) })],
  [
    'gadgets in a body',
    10,
    (size) =>
      posting(
        '/gantry/instances',
        names(size).map((app) => ({ app })),
      ),
  ],
])('%s: the cost grows no faster than the input (security rule 25)', async (_, n, prepare) => {
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('control: looking each name up in a list grows with the square (security rule 25)', async () => {
  const looked = (size: number) => {
    const list = names(size);
    return () => list.filter((name) => list.includes(`${name}x`));
  };
  expect(await growth(200, looked)).toBeGreaterThan(mostGrowth);
});
