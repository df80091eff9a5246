import { readFile } from 'node:fs/promises';
import { type OperationId, operation, operations } from '@gantry/wire';
import { expect, test } from 'vitest';

test('the README lists every operation as it is in the table', async () => {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  const rows = (Object.keys(operations) as OperationId[]).map(operation).map((row) => {
    const works = row.status === 'works';
    return `| ${row.method} | \`${row.path}\` | ${works ? `\`osapi.${row.osapi}\`` : ''} | ${works ? 'works' : '501'} |`;
  });
  expect(readme).toContain(['| Method | Path | Call | |', '|---|---|---|---|', ...rows].join('\n'));
});
