import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNonceLog } from '@gantry/service';
import { openSqlite } from '@gantry/store';
import { expect, test } from 'vitest';
import { accessToken, consent, problem, requestToken, type Token, tokenOf } from '../oauth-client.ts';
import { openSite, send, serviceOf, start, village } from '../site.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'gantry-service-'));

test('one of several posts in parallel through two connections is stored (contract §4)', async () => {
  const file = join(newFolder(), 'gantry.db');
  const site = await openSite(async () => openSqlite({ file }), village);
  const services = await Promise.all(
    Array.from({ length: 4 }, async () =>
      serviceOf(site, { db: openSqlite({ file }), nonces: await openNonceLog(`${file}.nonces`) }),
    ),
  );
  const posts = services.flatMap((service) => [1, 2, 3].map(() => service));
  const replies = await Promise.all(
    posts.map((service) =>
      send(service, { method: 'POST', path: '/activities/@me/@self', body: { title: 'x' }, timestamp: start / 1000 }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(500)]);
  expect((await site.get('/activities/@me/@self')).json.totalResults).toBe(1);
});

test('one of several exchanges of a request token through four connections succeeds, and five wrong verifiers end it (contract §5)', async () => {
  const file = join(newFolder(), 'gantry.db');
  const site = await openSite(async () => openSqlite({ file }), village);
  const consumer = { key: 'member-2', secret: 'secret' };
  const sites = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const nonces = await openNonceLog(`${file}.nonces`);
      const db = openSqlite({ file });
      return { ...site, db, service: await serviceOf(site, { db, nonces }) };
    }),
  );
  const everywhere = (verifier: string, token: Token) =>
    Promise.all([0, 1, 2].flatMap(() => sites.map((one) => accessToken(one, { consumer, token, verifier }))));

  const token = tokenOf(await requestToken(site, { consumer }));
  const answers = await everywhere(await consent(site, token, '1'), token);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter((answer) => problem(answer) === 'signature_invalid')).toHaveLength(11);

  const dying = tokenOf(await requestToken(site, { consumer }));
  const verifier = await consent(site, dying, '1');
  const guesses = await everywhere('wrong', dying);
  expect(guesses.filter((answer) => problem(answer) === 'permission_denied')).toHaveLength(5);
  expect(problem(await accessToken(site, { consumer, token: dying, verifier }))).toBe('signature_invalid');
});

test('a nonce is used up for every service on the same folder, and after reopening (contract §5)', async () => {
  const folder = newFolder();
  const site = await openSite(async () => openSqlite({ file: ':memory:' }), village);
  const status = async () => {
    const service = await serviceOf(site, { nonces: await openNonceLog(folder, { now: () => start }) });
    const reply = await send(service, { path: '/people/@me/@self', nonce: 'once', timestamp: start / 1000 });
    await service.close();
    return reply.status;
  };
  expect([await status(), await status(), await status()]).toEqual([200, 401, 401]);
});

test('a nonce stays used after kill -9 (security rule 22, docs/decisions/0004-nonces.md)', async () => {
  const folder = newFolder();
  const use = { consumerKey: 'k', token: '', timestamp: Math.floor(Date.now() / 1000), nonce: 'n' };
  const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    const { openNonceLog } = await import(${source('../../src/auth/nonce-log.ts')});
    const nonces = await openNonceLog(${JSON.stringify(folder)});
    console.log(await nonces.consume(${JSON.stringify(use)}));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--conditions=@gantry/source', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    expect(String(await once(child.stdout, 'data'))).toBe('fresh\n');
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');
  expect(await (await openNonceLog(folder)).consume(use)).toBe('used');
});
