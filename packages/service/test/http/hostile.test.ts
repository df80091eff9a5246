import { sql } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { openSite, publicUrl, village } from '../site.ts';

const word = fc.oneof(
  fc.constantFrom(
    '@me',
    '@self',
    '@friends',
    '@all',
    '@app',
    '@viewer',
    '@supportedFields',
    '1',
    '2',
    '4',
    '404',
    'notes',
  ),
  fc.constantFrom(
    'people',
    'activities',
    'appData',
    'albums',
    'mediaitems',
    '1,2',
    '',
    '__proto__',
    'constructor',
    "';--",
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => text.isWellFormed()),
);
const segments = fc.array(word, { maxLength: 5 });
const query = fc.array(
  fc.tuple(fc.constantFrom('count', 'startIndex', 'fields', 'format', 'filterBy', '__proto__', 'st'), word),
  { maxLength: 3 },
);
const body = fc.oneof(
  fc.constant(undefined),
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .dictionary(fc.constantFrom('title', 'url', '__proto__', 'k', 'a b'), fc.oneof(word, fc.jsonValue()))
    .map((it) => JSON.stringify(it)),
);
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND');

describe.each(databases)('hostile requests on $name', ({ open }) => {
  test('a signed request of any shape is answered, refused or not implemented, never a fault (security rule 18)', async () => {
    const site = await openSite(open, village);
    const shape = fc.record({
      segments,
      query,
      body,
      method,
      type: fc.constantFrom('application/json', 'text/plain', 'x'),
    });
    await fc.assert(
      fc.asyncProperty(shape, async (asked) => {
        const path = asked.segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
        const search = asked.query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
        const takesBody = asked.method !== 'GET' && asked.method !== 'HEAD' && asked.body !== undefined;
        const reply = await site
          .send({
            method: asked.method,
            path: search === '' ? path : `${path}?${search}`,
            ...(takesBody && { body: asked.body, headers: { 'content-type': asked.type } }),
          })
          .catch((error: unknown) => {
            // The client library refuses a path that a URL would rewrite.
            if (error instanceof TypeError && !(error instanceof SocialError)) return undefined;
            throw error;
          });
        site.nowMs += 30_000;
        if (reply === undefined) return;
        expect([200, 400, 403, 404, 405, 413, 415, 501]).toContain(reply.status);
        if (reply.status !== 200 && asked.method !== 'HEAD') expect(reply.json.error?.code).toBe(reply.status);
      }),
      { numRuns: 3_000 },
    );
  });

  test('an unsigned target of any bytes is refused, never a fault (security rule 18)', async () => {
    const site = await openSite(open, village);
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const target = fc.oneof(
      text,
      text.map((rest) => `/social/rest/${rest}`),
      text.map((rest) => `/social/rest/people/1/@self?${rest}`),
    );
    const authorization = fc.oneof(
      fc.constant(undefined),
      fc.string({ maxLength: 60 }).map((rest) => `OAuth ${rest}`),
    );
    await fc.assert(
      fc.asyncProperty(target, authorization, async (rawTarget, header) => {
        const headers = header !== undefined && /^[\t -~]*$/.test(header) ? { authorization: header } : {};
        const response = await site.service.handle(new Request(`${publicUrl}/`, { headers }), rawTarget);
        expect([400, 401, 404, 405]).toContain(response.status);
      }),
      { numRuns: 3_000 },
    );
  });

  test('the checks above would see a fault (positive control)', async () => {
    const site = await openSite(open, village);
    await site.db.query(sql`drop table activity`);
    expect((await site.get('/activities/@me/@self')).status).toBe(500);
  });
});
