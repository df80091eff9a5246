import { readFile } from 'node:fs/promises';
import { type OperationId, operation, operationIds } from '@gantry/wire';
import { expect, test } from 'vitest';

function line(id: OperationId): string {
  const { method, path, osapi, permission, status, cache } = operation(id);
  const cached = cache ? `${cache.freshMs / 1000} s` : '–';
  return `| ${method} | \`${path}\` | \`${osapi}\` | \`${permission}\` | ${status === 'works' ? 'works' : '501'} | ${cached} |`;
}

test('docs/rest-api.md lists every operation as it is in the table', async () => {
  const page = await readFile(new URL('../../../docs/rest-api.md', import.meta.url), 'utf8');
  const head = ['| Method | Path | Call | Permission | | Fresh for |', '|---|---|---|---|---|---|'];
  expect(page).toContain([...head, ...operationIds.map(line)].join('\n'));
});
