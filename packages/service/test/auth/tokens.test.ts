import { createHash, generateKeyPairSync } from 'node:crypto';
import { type SigningConsumer, signatureMethods } from '@gantry/oauth';
import { addConsumer, type ConsumerSpec, listConsumers, revokeConsumer } from '@gantry/service';
import { pendingAuthorization, revokeAuthorization } from '@gantry/service/account';
import { type Database, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { addRequestToken } from '../../src/store/request-tokens.ts';
import { databases } from '../databases.ts';
import {
  accessToken,
  ask,
  authorized,
  type Call,
  consent,
  problem,
  requestToken,
  type Told,
  tokenOf,
} from '../oauth-client.ts';
import { openSite, type Site, secretKey, serviceOf, start, village } from '../site.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const printer: SigningConsumer = { key: 'printer', secret: 'secret' };
const admin: SigningConsumer = { key: 'admin', secret: 'secret' };
const app: SigningConsumer = { key: 'notes-app', secret: 'secret' };
const self = '/social/rest/people/@me/@self';
const hour = 60 * 60 * 1000;

async function openVillage(open: () => Promise<Database>): Promise<Site> {
  const site = await openSite(open, village);
  await site.add({
    members: [{ id: '9', displayName: 'Root', admin: true }],
    consumers: [
      { key: 'printer', secret: 'secret', kind: 'member', memberId: '2', title: 'Photo printer' },
      { key: 'other', secret: 'secret', kind: 'member', memberId: '3' },
    ],
  });
  return site;
}

/** Everything in a reply that a client can distinguish. */
function partsOf({ status, headers, text }: Told) {
  return { status, headers, text };
}

describe.each(databases)('OAuth tokens on $name', ({ open }) => {
  test('a hundred request tokens wait for a consumer, and the oldest goes (contract §8)', async () => {
    const site = await openVillage(open);
    const rows = () => site.db.query<{ consumer_key: string }>(sql`select consumer_key from request_token`);
    const newToken = async (consumer = printer) => {
      site.nowMs += 1;
      return tokenOf(await requestToken(site, { consumer, parameters: [['oauth_callback', 'oob']] }));
    };
    const others = await newToken({ key: 'other', secret: 'secret' });
    const allowed = await newToken();
    const verifier = await consent(site, allowed, '1');
    const oldest = await newToken();
    const second = await newToken();
    for (let index = 0; index < 99; index++) await newToken();
    expect(await rows()).toHaveLength(102); // 100 pending, one allowed, one of another consumer
    const pending = (token: { key: string }) =>
      pendingAuthorization(site.db, { token: token.key, flow: 'member', nowMs: site.nowMs });
    expect(await pending(oldest)).toBeUndefined();
    expect(await pending(second)).toBeDefined();
    expect(await pending(others)).toBeDefined();
    expect((await accessToken(site, { consumer: printer, token: allowed, verifier })).status).toBe(200);
    const row = { sealedSecret: '', consumerKey: 'printer', flow: 'member', callback: 'oob' } as const;
    const add = (index: number) =>
      addRequestToken(site.db, { ...row, token: `parallel ${index}`, nowMs: site.nowMs + index });
    await Promise.all(Array.from({ length: 120 }, (_, index) => add(index)));
    expect(await rows()).toHaveLength(101);
  });

  test.each(
    signatureMethods.flatMap((method) =>
      (['header', 'query', 'form'] as const).map((place) => [method, place] as const),
    ),
  )('with %s in the %s: all three steps, then a request for the member (contract §5)', async (method, placement) => {
    const site = await openVillage(open);
    const spec: ConsumerSpec = {
      kind: 'member',
      memberId: '2',
      method,
      ...(method === 'RSA-SHA1' && { publicKey: publicPem }),
    };
    const { key, secret } = await addConsumer(site.db, { secretKey, ...spec });
    const consumer: SigningConsumer =
      method === 'RSA-SHA1' ? { key, privateKey, signatureMethod: method } : { key, secret, signatureMethod: method };
    const call = { consumer, placement, method: placement === 'form' ? 'POST' : 'GET' } as const;
    const requestReply = await requestToken(site, { ...call, parameters: [['oauth_callback', 'oob']] });
    expect([requestReply.status, requestReply.text]).toEqual([200, expect.any(String)]);
    const verifier = await consent(site, tokenOf(requestReply), '1');
    const accessReply = await accessToken(site, { ...call, token: tokenOf(requestReply), verifier });
    expect(accessReply.status).toBe(200);
    const path = placement === 'form' ? '/social/rest/activities/@me/@self' : self;
    const answer = await ask(site, { ...call, path, token: tokenOf(accessReply) });
    // A form is no activity: a refusal of its type shows that the request was authorized.
    expect(answer.status).toBe(placement === 'form' ? 415 : 200);
    if (placement !== 'form') expect(JSON.parse(answer.text).entry.id).toBe('1');
  });

  test('answers are forms with their fields in order, and are not stored (contract §5)', async () => {
    const site = await openVillage(open);
    const requestReply = await requestToken(site, { consumer: printer });
    expect(requestReply.text).toMatch(
      /^oauth_callback_confirmed=true&oauth_token=[0-9a-f]{40}&oauth_token_secret=[0-9a-f]{40}$/,
    );
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Cache-Control': 'no-store' };
    expect(requestReply.headers).toEqual(headers);
    const verifier = await consent(site, tokenOf(requestReply), '1');
    const accessReply = await accessToken(site, { consumer: printer, token: tokenOf(requestReply), verifier });
    expect(accessReply.headers).toEqual(headers);
    expect(accessReply.text).toMatch(
      /^oauth_callback_confirmed=true&oauth_token=[0-9a-f]{40}&oauth_token_secret=[0-9a-f]{40}$/,
    );
  });

  test.each(['PUT', 'DELETE', 'HEAD', 'OPTIONS'])(
    '%s is not for tokens: 405 with Allow (contract §5)',
    async (method) => {
      const site = await openVillage(open);
      const answer = await requestToken(site, { consumer: printer, method });
      expect([answer.status, answer.headers.Allow]).toEqual([405, 'GET, POST']);
    },
  );

  test.each([
    'oob',
    'http://localhost:9000/back',
    'https://client.example/back?a=b&c=%20d#e',
    'HTTPS://CLIENT.EXAMPLE',
  ])('the callback %j is accepted (contract §5)', async (callback) => {
    const site = await openVillage(open);
    const answer = await requestToken(site, { consumer: printer, parameters: [['oauth_callback', callback]] });
    expect(answer.status).toBe(200);
  });

  test.each([
    '',
    'OOB',
    '/back',
    '//client.example/',
    'client.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://client.example/',
    'https://user@client.example/',
    'https://user:pw@client.example/',
    'https://client.example/\r\nSet-Cookie: a=b',
    'https://client.example/ back',
    'https://clíent.example/',
    'https://',
    'https://client.example:99999/',
    `https://client.example/${'a'.repeat(2000)}`,
  ])('the callback %j is 400, saying what would be right (contract §5)', async (callback) => {
    const site = await openVillage(open);
    const answer = await requestToken(site, { consumer: printer, parameters: [['oauth_callback', callback]] });
    expect(answer.status).toBe(400);
    expect(new URLSearchParams(answer.text).get('oauth_problem')).toBe('parameter_rejected');
    expect(new URLSearchParams(answer.text).get('oauth_problem_advice')).toContain('oob');
  });

  test('every unproven request gets the same answer, byte for byte (contract §5)', async () => {
    const site = await openVillage(open);
    const token = tokenOf(await requestToken(site, { consumer: printer }));
    const verifier = await consent(site, token, '1');
    const exchange = { token, verifier };
    const others = tokenOf(await requestToken(site, { consumer: { key: 'other', secret: 'secret' } }));
    const access = await authorized(site, printer, '3');
    const answers = [
      await requestToken(site, { consumer: { key: 'nobody', secret: 'secret' } }),
      await requestToken(site, { consumer: { key: 'printer', secret: 'wrong' } }),
      await requestToken(site, { consumer: { key: 'printer', secret: 'secret', signatureMethod: 'HMAC-SHA256' } }),
      await requestToken(site, { consumer: { key: 'printer', privateKey, signatureMethod: 'RSA-SHA1' } }),
      await requestToken(site, { consumer: { key: 'nobody', privateKey, signatureMethod: 'RSA-SHA1' } }),
      await requestToken(site, { consumer: printer, token }), // this endpoint takes no token
      await accessToken(site, { consumer: printer, ...exchange, token: { key: 'nothing', secret: '' } }),
      await accessToken(site, { consumer: printer, ...exchange, token: { ...token, secret: 'wrong' } }),
      await accessToken(site, { consumer: printer, ...exchange, token: others }), // of another consumer
      await accessToken(site, { consumer: printer, ...exchange, token: access }), // of another kind
      await accessToken(site, { consumer: admin, ...exchange }, 'admin'), // of another flow
    ];
    for (const answer of answers) expect(partsOf(answer)).toEqual(partsOf(answers[0] as Told));
    expect(partsOf(answers[0] as Told)).toMatchObject({
      status: 401,
      headers: {
        'WWW-Authenticate': 'OAuth realm="https://social.example", oauth_problem="signature_invalid"',
        'Cache-Control': 'no-store',
      },
    });
    expect((await accessToken(site, { consumer: printer, ...exchange })).status).toBe(200); // the control
  });

  test('an unknown, foreign or wrong token gets the same answer, byte for byte (contract §5)', async () => {
    const site = await openVillage(open);
    const access = await authorized(site, printer, '1');
    const token = tokenOf(await requestToken(site, { consumer: printer }));
    const answers = [
      await ask(site, { path: self, consumer: { key: 'nobody', secret: 'secret' }, token: access }),
      await ask(site, { path: self, consumer: printer, token: { key: 'nothing', secret: '' } }),
      await ask(site, { path: self, consumer: printer, token: { ...access, secret: 'wrong' } }),
      await ask(site, { path: self, consumer: { key: 'printer', secret: 'wrong' }, token: access }),
      await ask(site, { path: self, consumer: { key: 'other', secret: 'secret' }, token: access }),
      await ask(site, { path: self, consumer: printer, token }), // not allowed yet
    ];
    for (const answer of answers) expect(partsOf(answer)).toEqual(partsOf(answers[0] as Told));
    expect(problem(answers[0] as Told)).toBe('signature_invalid');
    expect((await ask(site, { path: self, consumer: printer, token: access })).status).toBe(200); // the control
  });

  test('whatever is wrong costs the same statements: key, token, secret or method (contract §5)', async () => {
    const site = await openVillage(open);
    const count = { statements: 0 };
    const db: Database = {
      ...site.db,
      query: (statement) => {
        count.statements += 1;
        return site.db.query(statement);
      },
      batch: (statements) => {
        count.statements += statements.length;
        return site.db.batch(statements);
      },
    };
    const counted = { ...site, service: await serviceOf(site, { db }) };
    const token = await authorized(site, printer, '1');
    const pending = tokenOf(await requestToken(site, { consumer: printer }));
    const cost = async (work: () => Promise<Told>) => {
      const before = count.statements;
      const answer = await work();
      return [problem(answer) ?? answer.status, count.statements - before];
    };
    const get = (call: Partial<Call>) => () => ask(counted, { path: self, consumer: printer, token, ...call });
    const exchange = (call: Partial<Call>) => () =>
      accessToken(counted, { consumer: printer, token: pending, verifier: 'v', ...call });
    await cost(get({})); // settings are read now and then
    for (const one of [get, exchange]) {
      const wrong = await cost(one({ consumer: { key: 'printer', secret: 'wrong' } }));
      expect(wrong[0]).toBe('signature_invalid');
      expect(await cost(one({ consumer: { key: 'nobody', secret: 'wrong' } }))).toEqual(wrong);
      expect(await cost(one({ token: { key: 'nothing', secret: '' } }))).toEqual(wrong);
      expect(await cost(one({ consumer: { key: 'printer', privateKey, signatureMethod: 'RSA-SHA1' } }))).toEqual(wrong);
      expect((await cost(one({})))[1]).toBeGreaterThan(wrong[1] as number); // the control
    }
  });

  test('app keys have no tokens, and the admin endpoints take only admin keys (contract §5)', async () => {
    const site = await openVillage(open);
    const refused = [
      await requestToken(site, { consumer: app }),
      await requestToken(site, { consumer: app }, 'admin'),
      await requestToken(site, { consumer: printer }, 'admin'),
    ];
    for (const answer of refused) expect([answer.status, problem(answer)]).toEqual([401, 'permission_denied']);
    expect((await requestToken(site, { consumer: admin }, 'admin')).status).toBe(200);
    expect((await requestToken(site, { consumer: admin })).status).toBe(200);
  });

  test('an exchange needs a token and a verifier: 400 without (contract §5)', async () => {
    const site = await openVillage(open);
    const token = tokenOf(await requestToken(site, { consumer: printer }));
    const path = '/oauth/access_token';
    const absent = [
      await ask(site, { path, consumer: printer, token }),
      await ask(site, { path, consumer: printer, parameters: [['oauth_verifier', 'v']] }),
      await ask(site, {
        path,
        consumer: printer,
        token: { key: '', secret: '' },
        parameters: [['oauth_verifier', 'v']],
      }),
    ];
    for (const answer of absent) {
      expect(answer.status).toBe(400);
      expect(new URLSearchParams(answer.text).get('oauth_problem')).toBe('parameter_absent');
    }
  });

  test('before the consent, and with a wrong verifier: 401 permission_denied (contract §5)', async () => {
    const site = await openVillage(open);
    const token = tokenOf(await requestToken(site, { consumer: printer }));
    expect(problem(await accessToken(site, { consumer: printer, token, verifier: '' }))).toBe('permission_denied');
    const verifier = await consent(site, token, '1');
    expect(problem(await accessToken(site, { consumer: printer, token, verifier: 'wrong' }))).toBe('permission_denied');
    expect((await accessToken(site, { consumer: printer, token, verifier })).status).toBe(200);
  });

  test('request tokens work once, die at five wrong verifiers and live an hour (contract §5)', async () => {
    const site = await openVillage(open);
    const fresh = async () => {
      const token = tokenOf(await requestToken(site, { consumer: printer }));
      return { consumer: printer, token, verifier: await consent(site, token, '1') };
    };
    const once = await fresh();
    expect((await accessToken(site, once)).status).toBe(200);
    expect(problem(await accessToken(site, once))).toBe('signature_invalid');

    const dying = await fresh();
    for (let n = 0; n < 5; n += 1) {
      expect(problem(await accessToken(site, { ...dying, verifier: 'wrong' }))).toBe('permission_denied');
    }
    expect(problem(await accessToken(site, dying))).toBe('signature_invalid');

    const late = await fresh();
    site.nowMs += hour;
    expect(problem(await accessToken(site, late))).toBe('signature_invalid');
  });

  test('one of twenty exchanges at once gets an access token that works (contract §5)', async () => {
    const site = await openVillage(open);
    const token = tokenOf(await requestToken(site, { consumer: printer }));
    const verifier = await consent(site, token, '1');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => accessToken(site, { consumer: printer, token, verifier })),
    );
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    expect(answers.filter((answer) => problem(answer) === 'signature_invalid')).toHaveLength(19);
    expect((await ask(site, { path: self, consumer: printer, token: tokenOf(successes[0] as Told) })).status).toBe(200);
  });

  test('expired requests are deleted (contract §5)', async () => {
    const site = await openVillage(open);
    await requestToken(site, { consumer: printer });
    site.nowMs += hour;
    await requestToken(site, { consumer: printer });
    expect(await site.db.query(sql`select consumer_key from request_token`)).toHaveLength(1);
  });

  test('a new access token replaces the earlier one at once (contract §5)', async () => {
    const site = await openVillage(open);
    const first = await authorized(site, printer, '1');
    const ofAnother = await authorized(site, printer, '3');
    const second = await authorized(site, printer, '1');
    expect(problem(await ask(site, { path: self, consumer: printer, token: first }))).toBe('signature_invalid');
    expect((await ask(site, { path: self, consumer: printer, token: second })).status).toBe(200);
    expect((await ask(site, { path: self, consumer: printer, token: ofAnother })).status).toBe(200);
  });

  test('tokens of an administrator in the flows member and admin stand side by side (contract §5)', async () => {
    const site = await openVillage(open);
    const asMember = await authorized(site, admin, '9');
    const asAdmin = await authorized(site, admin, '9', 'admin');
    const call = { path: self, consumer: admin, parameters: [['xoauth_requestor_id', '1']] as const };
    expect((await ask(site, { path: self, consumer: admin, token: asMember })).status).toBe(200);
    expect(problem(await ask(site, { ...call, token: asMember }))).toBe('permission_denied');
    expect((await ask(site, { ...call, token: asAdmin })).status).toBe(200);
    expect(problem(await ask(site, { path: self, consumer: admin, token: asAdmin }))).toBe('permission_denied');
  });

  test('revoking the authorization or the key acts at once (contract §5)', async () => {
    const site = await openVillage(open);
    const call = { path: self, consumer: printer };
    const token = await authorized(site, printer, '1');
    const other = await authorized(site, printer, '3');
    expect((await ask(site, { ...call, token })).status).toBe(200);
    await revokeAuthorization(site.db, { memberId: '1', consumerKey: 'printer', flow: 'member' });
    expect(problem(await ask(site, { ...call, token }))).toBe('signature_invalid');
    expect((await ask(site, { ...call, token: other })).status).toBe(200);
    await revokeConsumer(site.db, 'printer');
    expect(problem(await ask(site, { ...call, token: other }))).toBe('signature_invalid');
  });

  test('a nonce counts once for each token of a consumer, and on token endpoints (contract §5)', async () => {
    const site = await openVillage(open);
    const ofAnn = await authorized(site, printer, '1');
    const ofDi = await authorized(site, printer, '3');
    const call = { path: self, consumer: printer, nonce: 'same' };
    expect((await ask(site, { ...call, token: ofAnn })).status).toBe(200);
    expect(problem(await ask(site, { ...call, token: ofAnn }))).toBe('nonce_used');
    expect((await ask(site, { ...call, token: ofDi })).status).toBe(200);
    expect((await requestToken(site, { consumer: printer, nonce: 'same' })).status).toBe(200);
    expect(problem(await requestToken(site, { consumer: printer, nonce: 'same' }))).toBe('nonce_used');
    expect(problem(await requestToken(site, { consumer: printer, timestamp: start / 1000 - 301 }))).toBe(
      'timestamp_refused',
    );
  });

  test('an empty oauth_token means none, and is signed (contract §5)', async () => {
    const site = await openVillage(open);
    const call = { path: self, consumer: printer, parameters: [['xoauth_requestor_id', '2']] as const };
    expect((await ask(site, { ...call, token: { key: '', secret: '' } })).status).toBe(200);
    expect((await requestToken(site, { consumer: printer, token: { key: '', secret: '' } })).status).toBe(200);
  });

  test('a world file brings consumers of every method (contract §9)', async () => {
    const site = await openVillage(open);
    await site.add({
      consumers: [
        { key: 'rsa', publicKey: publicPem, kind: 'app', appId: 'notes', requireBodyHash: true, title: 'By RSA' },
        { key: 'sha256', secret: 'secret', kind: 'app', appId: 'notes', method: 'HMAC-SHA256' },
      ],
    });
    const call = { path: self, parameters: [['xoauth_requestor_id', '1']] as const };
    const rsa: SigningConsumer = { key: 'rsa', privateKey, signatureMethod: 'RSA-SHA1' };
    expect((await ask(site, { ...call, consumer: rsa })).status).toBe(200);
    const sha256: SigningConsumer = { key: 'sha256', secret: 'secret', signatureMethod: 'HMAC-SHA256' };
    expect((await ask(site, { ...call, consumer: sha256 })).status).toBe(200);
    expect(problem(await ask(site, { ...call, consumer: { key: 'sha256', secret: 'secret' } }))).toBe(
      'signature_invalid',
    );
    expect((await listConsumers(site.db)).filter(({ key }) => key === 'rsa')).toMatchObject([
      { method: 'RSA-SHA1', requireBodyHash: true, title: 'By RSA' },
    ]);
  });

  test('a consumer that is imported again with another kind keeps no rights of its tokens (contract §5)', async () => {
    const site = await openVillage(open);
    const token = await authorized(site, admin, '9', 'admin');
    const call = { path: self, consumer: admin, token, parameters: [['xoauth_requestor_id', '1']] as const };
    expect((await ask(site, call)).status).toBe(200);
    await site.add({ consumers: [{ key: 'admin', secret: 'secret', kind: 'member', memberId: '2' }] });
    expect(problem(await ask(site, call))).toBe('permission_denied');
    await site.add({ consumers: [{ key: 'admin', secret: 'secret', kind: 'app', appId: 'notes' }] });
    expect(problem(await ask(site, call))).toBe('permission_denied');
  });

  test('the secrets of tokens are sealed, and verifiers are digests (architecture: storage)', async () => {
    const site = await openVillage(open);
    const token = tokenOf(await requestToken(site, { consumer: printer }));
    const verifier = await consent(site, token, '1');
    const access = await authorized(site, printer, '3');
    const rows = JSON.stringify([
      await site.db.query(sql`select * from request_token`),
      await site.db.query(sql`select * from access_token`),
    ]);
    expect(rows).toContain(token.key);
    for (const secret of [token.secret, verifier, access.secret]) expect(rows).not.toContain(secret);
  });

  test('a key that requires it refuses a body without oauth_body_hash, and nothing else (contract §5)', async () => {
    const site = await openVillage(open);
    const spec = { secretKey, kind: 'app', appId: 'notes', requireBodyHash: true } as const;
    const { key, secret } = await addConsumer(site.db, spec);
    const call = {
      path: '/social/rest/activities/@me/@self',
      method: 'POST',
      parameters: [['xoauth_requestor_id', '1']] as const,
      body: '{"title":"Hello"}',
    };
    const bare = await ask(site, { ...call, consumer: { key, secret } });
    expect([bare.status, JSON.parse(bare.text).error.message]).toEqual([
      400,
      expect.stringContaining('oauth_body_hash'),
    ]);
    expect((await ask(site, { ...call, consumer: { key, secret }, signsBody: true })).status).toBe(200);
    const { parameters } = call;
    expect((await ask(site, { path: self, consumer: { key, secret }, parameters })).status).toBe(200); // no body
    const strangers = await ask(site, { ...call, consumer: { key, secret: 'wrong' } });
    expect(problem(strangers)).toBe('signature_invalid');
    const free = { ...call, path: '/social/rest/appData/@me/@self/@app', body: '{"a":"b"}' };
    expect((await ask(site, { ...free, consumer: app })).status).toBe(200); // the control
  });

  test('HMAC-SHA256 goes with a body hash of SHA-256 or SHA-1 (contract §5)', async () => {
    const site = await openVillage(open);
    const spec = { secretKey, kind: 'app', appId: 'notes', method: 'HMAC-SHA256' } as const;
    const { key, secret } = await addConsumer(site.db, spec);
    const body = '{"a":"b"}';
    const post = (hash: string) =>
      ask(site, {
        path: '/social/rest/appData/@me/@self/@app',
        method: 'POST',
        consumer: { key, secret, signatureMethod: 'HMAC-SHA256' },
        parameters: [
          ['xoauth_requestor_id', '1'],
          ['oauth_body_hash', hash],
        ],
        body,
      });
    const digest = (name: string, text: string) => createHash(name).update(text).digest('base64');
    expect((await post(digest('sha1', body))).status).toBe(200);
    expect((await post(digest('sha256', body))).status).toBe(200);
    expect((await post(digest('sha512', body))).status).toBe(401);
    expect((await post(digest('sha256', '{"a":"c"}'))).status).toBe(401);
  });

  test.each([
    ['a method without its key', { method: 'RSA-SHA1' }, 'needs its public key'],
    ['a public key for HMAC', { method: 'HMAC-SHA1', publicKey: publicPem }, 'has a secret, and no public key'],
    ['a secret for RSA', { publicKey: publicPem, secret: 's' }, 'has a public key, and no secret'],
    ['text for a key', { publicKey: 'x' }, 'no public key in PEM'],
    [
      'a private key',
      { publicKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
      'This is a private key',
    ],
  ] as const)('a consumer with %s is not registered', async (_, spec, message) => {
    const site = await openVillage(open);
    await expect(
      addConsumer(site.db, { secretKey, kind: 'member', memberId: '2', ...spec } as ConsumerSpec & {
        secretKey: Uint8Array;
      }),
    ).rejects.toThrow(message);
  });

  test('only an administrator can own a key of the kind admin (contract §5)', async () => {
    const site = await openVillage(open);
    const spec = { secretKey, kind: 'admin' } as const;
    await expect(addConsumer(site.db, { ...spec, memberId: '1' })).rejects.toThrow('administrator');
    await addConsumer(site.db, { ...spec, memberId: '9' });
  });
});
