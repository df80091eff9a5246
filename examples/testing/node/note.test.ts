import { equal, rejects } from 'node:assert/strict';
import { after, afterEach, beforeEach, test } from 'node:test';
import { osapi } from '@gantry/osapi';
import { useHost } from '@gantry/testing/node';

const host = useHost({ beforeEach, afterEach, after }, { app: 'harbour' });

test('a note is saved when the site is back', async () => {
  host.faults.once('appdata.update').fail(503);
  await rejects(async () => osapi.appdata.update({ data: { note: 'Low water' } }), { code: 503 });
  await osapi.appdata.update({ data: { note: 'Low water' } });
  const [mine] = Object.values(await osapi.appdata.get({ keys: ['note'] }));
  equal(mine?.note, 'Low water');
});
