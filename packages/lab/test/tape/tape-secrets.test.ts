import { sql, unseal } from '@gantry/store';
import { expect, test } from 'vitest';
import type { Lab } from '../../src/index.ts';
import { redactTape, writeTape } from '../../src/tape/index.ts';
import { app } from '../page.ts';
import { everyday, recordInNode } from './record-in-node.ts';

/** Keys, secrets and nonces of a lab, in each way in which bytes are written. */
async function secretsOf({ gantry }: Lab): Promise<readonly string[]> {
  const { db, secretKey, tokenKeys } = gantry.stores;
  const keys = [secretKey, ...tokenKeys.map(({ key }) => key)].map((key) => Buffer.from(key));
  const rows = await db.query<{ id: string; consumer_key: string; consumer_secret: string }>(
    sql`select id, consumer_key, consumer_secret from app_registrations where id = ${app.id}`,
  );
  return [
    ...keys.flatMap((key) => (['hex', 'base64', 'base64url'] as const).map((as) => key.toString(as))),
    ...rows.flatMap(({ id, consumer_key: key, consumer_secret: sealed }) => [
      ...[key, sealed, unseal(secretKey, sealed, `app/${id}`)],
    ]),
  ];
}

test('no key, secret, token or OAuth parameter is on a tape, redacted or not (security rule 8)', async () => {
  let secrets: readonly string[] = [];
  const tape = await recordInNode(async (call, lab) => {
    secrets = await secretsOf(lab);
    await everyday(call);
    lab.calls.once('people.get', (call) => call.fail(502));
    await call('people.get', { userId: '@viewer', fields: ['age'] });
    await call('people.frobnicate');
    lab.clock.jump(3_600_000);
    await call('activities.get', { userId: '@viewer', groupId: '@friends' });
  });
  expect(secrets.length).toBeGreaterThan(8);
  for (const one of [tape, redactTape(tape)]) {
    const text = writeTape(one);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toMatch(/(?<!x)oauth_|authorization|eyJ[\w-]{10}/i);
  }
  const kinds = new Set(tape.entries.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(
    expect.arrayContaining(['cache', 'call', 'clock', 'decision', 'fault', 'refusal', 'reply', 'upstream']),
  );
});

test('a secret on a tape would be found (control), and redaction takes even that out', async () => {
  let secret = '';
  const tape = await recordInNode(async (call, lab) => {
    [secret = ''] = await secretsOf(lab);
    await call('appdata.update', { data: { note: secret } });
  });
  expect(writeTape(tape)).toContain(secret);
  expect(writeTape(redactTape(tape))).not.toContain(secret);
});
