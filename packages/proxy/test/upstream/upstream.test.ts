import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResolvedRequest } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBreaker } from '../../src/upstream/breaker.ts';
import { createHttpUpstream } from '../../src/upstream/http-upstream.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from '../../src/upstream/upstream.ts';

const consumer = { key: 'ck', secret: 'cs' };
const self: ResolvedRequest = {
  operation: 'people.getSelf',
  method: 'GET',
  segments: ['people', '7', '@self'],
  query: [],
};

const empty = { status: 200, text: '' };
const member = { consumer, asker: { app: 'friends', viewer: '7' }, call: {} };

function open(upstream: Upstream, options: Partial<UpstreamOptions> = {}) {
  return createUpstream({
    upstream,
    upstreamUrl: 'http://site.example/social/rest',
    deadlineMs: 10_000,
    breaker: createBreaker(() => 0),
    now: () => 0,
    random: (bytes) => new Uint8Array(bytes),
    pause: async () => {},
    ...options,
  });
}

test('a site that never answers times out (security rule 15)', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = open(createHttpUpstream(), { upstreamUrl: `http://127.0.0.1:${port}`, deadlineMs: 50 });
  await expect(ask({ ...member, request: self })).rejects.toMatchObject({ code: 'TIMED_OUT' });
  server.closeAllConnections();
  server.close();
});

test('an in-process upstream that ignores the deadline times out, and so does an endless answer', async () => {
  const silent = open(() => new Promise(() => {}), { deadlineMs: 20 });
  await expect(silent({ ...member, request: self })).rejects.toMatchObject({ code: 'TIMED_OUT' });
  const fetch = async () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) }));
  const endless = open(createHttpUpstream({ fetch }), { deadlineMs: 20 });
  await expect(endless({ ...member, request: self })).rejects.toMatchObject({ code: 'TIMED_OUT' });
});

test('reading stops at 4,000,000 bytes (security rule 25)', async () => {
  let chunks = 0;
  const body = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(64 * 1024).fill(++chunks % 32)) });
  await expect(
    open(createHttpUpstream({ fetch: async () => new Response(body) }))({ ...member, request: self }),
  ).rejects.toMatchObject({
    code: 'UPSTREAM_FAILED',
  });
  expect(chunks).toBeLessThan(70);
});

test('a path that URL would rewrite is not signed (security rule 12)', async () => {
  const targets: string[] = [];
  const ask = open(async ({ rawTarget }) => {
    targets.push(rawTarget);
    return empty;
  });
  const outside = { ...self, segments: ['people', '..', '..', 'admin'] };
  await expect(ask({ ...member, request: outside })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await ask({ ...member, request: { ...self, segments: ['people', '...', '@self'] } });
  expect(targets).toEqual(['/social/rest/people/.../%40self?xoauth_requestor_id=7']);
});

test('for any segments the request stays below the root and is sent as signed (security rule 12)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('.', '..', '%2e%2e', '\\', '/', '?', '#', ':80')),
        { maxLength: 4 },
      ),
      fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), { maxLength: 3 }),
      async (segments, query) => {
        const ask = open(async ({ url, rawTarget }) => {
          expect(url).toBe(`http://site.example${rawTarget}`);
          expect(rawTarget).toMatch(/^\/social\/rest\/people[/?].*xoauth_requestor_id=7$/);
          return empty;
        });
        try {
          await ask({ ...member, request: { ...self, segments: ['people', ...segments], query } });
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_REQUEST' });
        }
      },
    ),
  );
});

test.each([
  '',
  'site.example/rest',
  'ftp://site.example/rest',
  'http://site.example/rest/',
  'http://me@site.example/rest',
  'http://site.example/rest?x',
  'http://site.example/a/../rest',
])('%j is no REST root (security rule 24)', (upstreamUrl) => {
  expect(() => open(async () => empty, { upstreamUrl })).toThrow(
    `The REST root must be a URL such as https://site.example/social/rest, not ${upstreamUrl}.`,
  );
});

test('a root may have no path', () => {
  expect(() => open(async () => empty, { upstreamUrl: 'http://site.example' })).not.toThrow();
});
