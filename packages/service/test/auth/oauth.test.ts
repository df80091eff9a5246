import { createHmac } from 'node:crypto';
import { signRequest } from '@gantry/oauth';
import { addConsumer, revokeConsumer } from '@gantry/service';
import { sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { saveApp, uninstallApp } from '../apps.ts';
import { databases } from '../databases.ts';
import { openSite, publicUrl, type SignedCall, secretKey, send, serviceOf, start, village } from '../site.ts';

const self = '/people/@me/@self';
const seconds = start / 1000;

function problem(reply: { readonly headers: Headers }): string | undefined {
  return /oauth_problem="([a-z_]+)"/.exec(reply.headers.get('www-authenticate') ?? '')?.[1];
}

/** Everything in a reply that a client can distinguish. */
async function partsOf(reply: Awaited<ReturnType<typeof send>>) {
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: reply.text };
}

describe.each(databases)('OAuth on $name', ({ open }) => {
  test('no OAuth parameter: 401 parameter_absent with the realm of the site (contract §4, §5)', async () => {
    const site = await openSite(open, village);
    const reply = await site.get(self, { signed: false });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe(
      'OAuth realm="https://social.example", oauth_problem="parameter_absent"',
    );
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.json.error?.code).toBe(401);
  });

  test('a gadget token alone is no authorization (contract §1)', async () => {
    const site = await openSite(open, village);
    expect(problem(await site.get(`${self}?st=abc`, { signed: false }))).toBe('parameter_absent');
  });

  test('a wrong key, token, secret or method name changes neither bytes nor headers (contract §5)', async () => {
    const site = await openSite(open, village);
    const calls: readonly Partial<SignedCall>[] = [
      { key: 'nobody' },
      { secret: 'wrong' },
      { secret: '' },
      { key: 'nobody', as: '404' },
      { token: { key: 'token', secret: 'x' } },
      { key: 'member-1', token: { key: 'token', secret: '' } },
      { key: 'member-1', secret: 'wrong', as: '2' },
      { target: '/social/rest/people/1/@self' },
      { target: `/social/rest${self}?extra=1` },
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, method: 'POST', body: 'a=b' },
    ];
    const answers = [];
    for (const call of calls) answers.push(await partsOf(await site.get(self, { ...call })));
    const posts = answers.pop(); // not a method of this resource: the route comes first
    expect(posts?.status).toBe(405);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(401);
    expect(answers[0]?.headers['www-authenticate']).toContain('oauth_problem="signature_invalid"');
  });

  test('an unknown key costs the same statements as a wrong secret (contract §5)', async () => {
    const site = await openSite(open, village);
    const count = { statements: 0 };
    const service = await serviceOf(site, {
      db: {
        ...site.db,
        query: (statement) => {
          count.statements += 1;
          return site.db.query(statement);
        },
      },
    });
    const statements = async (call: Partial<SignedCall>) => {
      const before = count.statements;
      await send(service, { path: self, timestamp: seconds, ...call });
      return count.statements - before;
    };
    expect(await statements({ key: 'nobody' })).toBe(await statements({ secret: 'wrong' }));
    expect(await statements({})).toBeGreaterThan(await statements({ secret: 'wrong' })); // the control
  });

  test('parameters may be in the query, the requestor too (contract §5)', async () => {
    const site = await openSite(open, village);
    const base = [
      ['oauth_consumer_key', 'notes-container'],
      ['oauth_nonce', 'q1'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', String(seconds)],
      ['xoauth_requestor_id', '1'],
    ]
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    const text = `GET&${encodeURIComponent(`${publicUrl}/social/rest${self}`)}&${encodeURIComponent(base)}`;
    const signature = encodeURIComponent(createHmac('sha1', 'secret&').update(text).digest('base64'));
    const target = `/social/rest${self}?${base}&oauth_signature=${signature}`;
    expect((await site.get(self, { signed: false, target })).status).toBe(200);
    expect(problem(await site.get(self, { signed: false, target }))).toBe('nonce_used');
    const header = await site.get(`${self}?xoauth_requestor_id=1`, { as: null });
    expect(header.status).toBe(200);
  });

  test.each([
    ['oauth_signature_method="PLAINTEXT"', 'oauth_signature_method="HMAC-SHA1"'],
    ['oauth_signature_method="HMAC-MD5"', 'oauth_signature_method="HMAC-SHA1"'],
    ['oauth_version="2.0"', 'oauth_version="1.0"'],
    ['', /oauth_nonce="[^"]*", /],
    ['', /oauth_timestamp="[^"]*", /],
    ['oauth_timestamp="soon"', /oauth_timestamp="[^"]*"/],
    ['oauth_nonce="x", oauth_nonce="x"', /oauth_nonce="[^"]*"/],
  ])('a request that is no OAuth, with %s, is 400 (contract §5)', async (replacement, pattern) => {
    const site = await openSite(open, village);
    const header = { text: '' };
    await send(
      {
        ...site.service,
        handle: async (request) => {
          header.text = request.headers.get('authorization') ?? '';
          return new Response();
        },
      },
      { path: self, timestamp: seconds },
    );
    const changed = header.text.replace(pattern, replacement);
    expect(changed).not.toBe(header.text);
    expect((await site.get(self, { headers: { authorization: changed } })).status).toBe(400);
    expect((await site.get(self, { headers: { authorization: header.text } })).status).toBe(200); // the control
  });

  test('a timestamp may be 300 seconds off, either way (contract §5)', async () => {
    const site = await openSite(open, village);
    expect((await site.get(self, { timestamp: seconds - 300 })).status).toBe(200);
    expect((await site.get(self, { timestamp: seconds + 300 })).status).toBe(200);
    for (const timestamp of [seconds - 301, seconds + 301, 0]) {
      const reply = await site.get(self, { timestamp });
      expect([reply.status, problem(reply)]).toEqual([401, 'timestamp_refused']);
    }
  });

  test('a nonce counts once per consumer and timestamp (contract §5)', async () => {
    const site = await openSite(open, village);
    const call = { nonce: 'same', timestamp: seconds };
    expect((await site.get(self, call)).status).toBe(200);
    const again = await site.get(self, call);
    expect([again.status, problem(again)]).toEqual([401, 'nonce_used']);
    expect(problem(await site.get('/people/2/@self', call))).toBe('nonce_used');
    expect((await site.get(self, { ...call, timestamp: seconds + 1 })).status).toBe(200);
    expect((await site.get(self, { ...call, key: 'notes-app' })).status).toBe(200);
  });

  test('a nonce is compared decoded, in any encoding (contract §5)', async () => {
    const site = await openSite(open, village);
    const { authorization } = signRequest({
      method: 'GET',
      url: `${publicUrl}/social/rest${self}`,
      consumer: { key: 'notes-container', secret: 'secret' },
      parameters: [['xoauth_requestor_id', '1']],
      timestamp: seconds,
      nonce: 'once',
    });
    const respelt = authorization.replace('oauth_nonce="once"', 'oauth_nonce="%6fnce"');
    expect(respelt).not.toBe(authorization);
    expect((await site.get(self, { headers: { authorization } })).status).toBe(200);
    expect(problem(await site.get(self, { headers: { authorization: respelt } }))).toBe('nonce_used');
    const other = await openSite(open, village); // the control
    expect((await other.get(self, { headers: { authorization: respelt } })).status).toBe(200);
  });

  test('oauth_body_hash is checked without a body too: it is that of nothing (contract §5)', async () => {
    const site = await openSite(open, village);
    const get = (body: string, nonce: string) => {
      const { authorization } = signRequest({
        method: 'GET',
        url: `${publicUrl}/social/rest${self}`,
        consumer: { key: 'notes-container', secret: 'secret' },
        parameters: [['xoauth_requestor_id', '1']],
        body,
        timestamp: seconds,
        nonce,
      });
      expect(authorization).toContain('oauth_body_hash=');
      return site.get(self, { headers: { authorization } });
    };
    expect((await get('', 'a')).status).toBe(200);
    expect(problem(await get('something', 'b'))).toBe('signature_invalid');
  });

  test('no value in WWW-Authenticate has a character that clients split on (contract §4)', async () => {
    const site = await openSite(open, village);
    const refusals = [
      await site.get(self, { signed: false }),
      await site.get(self, { secret: 'wrong' }),
      await site.get(self, { timestamp: 1 }),
      await site.get(self, { as: '404' }),
      await site.get(self, { nonce: 'n' }),
      await site.get(self, { nonce: 'n' }),
    ];
    const values = refusals.flatMap(({ headers }) =>
      Array.from((headers.get('www-authenticate') ?? '').matchAll(/="(.*?)"(?:, |$)/g), ([, value]) => value ?? ''),
    );
    expect(new Set(values)).toEqual(
      new Set([
        'https://social.example',
        'parameter_absent',
        'signature_invalid',
        'timestamp_refused',
        'permission_denied',
        'nonce_used',
      ]),
    );
    for (const value of values) expect(value).not.toMatch(/[,=&"]/);
  });

  test('answers one of several copies of a signed request in parallel (contract §5)', async () => {
    const site = await openSite(open, village);
    const replies = await Promise.all(Array.from({ length: 20 }, () => site.get(self, { nonce: 'same' })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter((reply) => problem(reply) === 'nonce_used')).toHaveLength(19);
  });

  test('a nonce is used up only by a verified signature (contract §5)', async () => {
    const site = await openSite(open, village);
    expect(problem(await site.get(self, { nonce: 'n', secret: 'wrong' }))).toBe('signature_invalid');
    expect((await site.get(self, { nonce: 'n' })).status).toBe(200);
  });

  test('the requestor: missing, unknown, @me or not allowed are the same 401 permission_denied (contract §5)', async () => {
    const site = await openSite(open, village);
    await saveApp(site.db, { id: 'photos', title: 'Photos', active: false });
    const answers = [];
    for (const call of [
      { as: null },
      { as: '404' },
      { as: '@me' },
      { as: '' },
      { as: 'no such id' },
      { key: 'member-1', as: '2' },
      { key: 'member-1', as: null },
      { key: 'notes-app', as: '5' }, // does not have the app
      { key: 'photos-container', as: '1' }, // inactive
      { key: 'admin', as: '1' }, // may not represent member 1
      { token: { key: 'token', secret: '' } }, // app keys have no tokens
    ]) {
      answers.push(await partsOf(await site.get(self, call)));
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(401);
    expect(answers[0]?.headers['www-authenticate']).toContain('oauth_problem="permission_denied"');
  });

  test.each([
    ['member-1', '1'],
    ['notes-app', '1'],
    ['notes-app', '4'],
    ['notes-container', '5'], // does not need the app
    ['admin-any', '3'],
  ])('the key %s may speak for member %s (contract §5)', async (key, as) => {
    const site = await openSite(open, village);
    expect((await site.get(self, { key, as })).json.entry).toMatchObject({ id: as });
  });

  test('an app key speaks for a member only as long as they have the app (contract §5)', async () => {
    const site = await openSite(open, village);
    expect((await site.get(self, { key: 'notes-app' })).status).toBe(200);
    await uninstallApp(site.db, { appId: 'notes', memberId: '1' });
    expect(problem(await site.get(self, { key: 'notes-app' }))).toBe('permission_denied');
  });

  test('two values of the requestor are 400, the same twice is one (contract §5)', async () => {
    const site = await openSite(open, village);
    expect((await site.get(`${self}?xoauth_requestor_id=2`)).status).toBe(400);
    expect((await site.get(`${self}?xoauth_requestor_id=1`)).status).toBe(200);
  });

  test('oauth_body_hash is checked where it appears: an altered body is refused (contract §5)', async () => {
    const site = await openSite(open, village);
    const path = '/appData/@me/@self/@app';
    const { authorization } = signRequest({
      method: 'POST',
      url: `${publicUrl}/social/rest${path}`,
      consumer: { key: 'notes-container', secret: 'secret' },
      parameters: [['xoauth_requestor_id', '1']],
      body: '{"a":"v"}',
      timestamp: seconds,
      nonce: 'body',
    });
    const post = { method: 'POST', path, headers: { authorization } };
    expect(problem(await site.send({ ...post, body: '{"a":"w"}' }))).toBe('signature_invalid');
    expect((await site.send({ ...post, body: '{"a":"v"}' })).status).toBe(200);
  });

  test('a consumer is honoured from its registration to its revocation, by a running server', async () => {
    const site = await openSite(open, village);
    const { key, secret } = await addConsumer(site.db, { secretKey, kind: 'member', memberId: '2' });
    expect((await site.get(self, { key, secret, as: '2' })).status).toBe(200);
    expect(await revokeConsumer(site.db, key)).toBe(true);
    expect(problem(await site.get(self, { key, secret, as: '2' }))).toBe('signature_invalid');
  });

  test('the signature covers the public address, not the Host of the request (contract §5)', async () => {
    const site = await openSite(open, village);
    const signed = (origin: string, nonce: string) =>
      signRequest({
        method: 'GET',
        url: `${origin}/social/rest${self}`,
        consumer: { key: 'notes-container', secret: 'secret' },
        parameters: [['xoauth_requestor_id', '1']],
        timestamp: seconds,
        nonce,
      }).authorization;
    const ask = (authorization: string) =>
      site.service.handle(
        new Request(`http://inner.example${'/social/rest'}${self}`, { headers: { authorization } }),
        `/social/rest${self}`,
      );
    expect((await ask(signed('http://inner.example', 'a'))).status).toBe(401);
    expect((await ask(signed(publicUrl, 'b'))).status).toBe(200);
  });

  test('X-Forwarded-* headers of a client change no signature (contract §5)', async () => {
    const site = await openSite(open, village);
    const forwarded = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    const consumer = { key: 'notes-container', secret: 'secret' };
    const signed = (url: string, nonce: string) =>
      signRequest({ method: 'GET', url, consumer, timestamp: seconds, nonce }).authorization;
    const path = `${self}?xoauth_requestor_id=1`;
    const ask = (authorization: string) => site.get(path, { signed: false, headers: { ...forwarded, authorization } });
    expect(problem(await ask(signed(`http://evil.example/social/rest${path}`, 'a')))).toBe('signature_invalid');
    expect((await ask(signed(`${publicUrl}/social/rest${path}`, 'b'))).status).toBe(200);
  });

  test('on a loopback address, 127.0.0.1 and localhost are the same site', async () => {
    const site = await openSite(open, village);
    const service = await serviceOf(site, { publicUrl: 'http://localhost:4400' });
    const ask = (origin: string, nonce: string) => {
      const url = `${origin}/social/rest${self}`;
      const { authorization } = signRequest({
        method: 'GET',
        url,
        consumer: { key: 'notes-container', secret: 'secret' },
        parameters: [['xoauth_requestor_id', '1']],
        timestamp: seconds,
        nonce,
      });
      return service.handle(new Request(url, { headers: { authorization } }), `/social/rest${self}`);
    };
    expect((await ask('http://localhost:4400', 'a')).status).toBe(200);
    expect((await ask('http://127.0.0.1:4400', 'b')).status).toBe(200);
    expect((await ask('http://127.0.0.1:4401', 'c')).status).toBe(401);
    expect((await ask('http://elsewhere.example', 'd')).status).toBe(401);
  });

  test('secrets are sealed in the database (architecture: storage)', async () => {
    const site = await openSite(open, village);
    const { secret } = await addConsumer(site.db, { secretKey, kind: 'member', memberId: '1', secret: 'plain-as-day' });
    const rows = await site.db.query(sql`select * from consumer`);
    expect(secret).toBe('plain-as-day');
    expect(JSON.stringify(rows)).not.toContain('plain-as-day');
  });
});
