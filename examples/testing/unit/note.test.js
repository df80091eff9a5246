import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, test } from 'node:test';
import { useHost } from '@gantry/testing/node';
import { saveNote } from '../src/note.js';

const host = useHost({ beforeEach, afterEach, after }, { app: './harbour' });

test('a note is saved without surrounding space', async () => {
  await saveNote(' Low water ');
  assert.deepEqual(host.calls[0].params.data, { note: 'Low water' });
});

test('a refusal of the site rejects', async () => {
  host.lab.calls.once('appdata.update', (call) => call.fail(403));
  await assert.rejects(saveNote('Low water'), { code: 403 });
});
