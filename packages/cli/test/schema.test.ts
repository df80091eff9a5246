import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifestJsonSchema } from '../../proxy/src/apps/manifest-schema.ts';

test('the schema that comes with the command is the one that a site serves (guide for app authors)', () => {
  const file = join(import.meta.dirname, '../gadget.schema.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(manifestJsonSchema)));
});
