import { openSqlite } from '@gantry/store';
import { expect, test } from 'vitest';
import { openSite, publicUrl, serviceOf } from '../site.ts';

const pem = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n';

async function ask(method: string, publicKey?: string): Promise<Response> {
  const site = await openSite(async () => openSqlite({ file: ':memory:' }));
  const service = await serviceOf(site, publicKey === undefined ? {} : { publicKey });
  const path = '/opensocial/certificates';
  return service.handle(new Request(publicUrl + path, { method }), path);
}

test('anyone reads the public key of the site, in PEM (contract §1)', async () => {
  const answer = await ask('GET', pem);
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'application/x-pem-file',
    pem,
  ]);
  const head = await ask('HEAD', pem);
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('it cannot be written, and a site without a key says so (contract §1)', async () => {
  const posted = await ask('POST', pem);
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await ask('GET')).status).toBe(404);
});
