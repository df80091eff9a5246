// CI: `npm test`, then the examples that need programs of Debian. Ends with one `N passed, N failed` for both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packing, printResult, runParts, runScript } from './parts.mjs';
import { prepare, sourceEnv } from './prepare.mjs';

const node = prepare();
const debian = ['php', 'python', 'deployment'];
const tarballs = mkdtempSync(join(tmpdir(), 'gantry-tarballs-'));
const env = sourceEnv({ GANTRY_TARBALLS: tarballs });
const rows = await runParts([
  packing(node, tarballs),
  { title: 'npm test', run: () => runScript(node, ['scripts/test.mjs'], { env }) },
  {
    title: `Examples: ${debian.join(', ')}`,
    run: () => runScript(node, ['scripts/examples.mjs', ...debian], { env }),
  },
]);
rmSync(tarballs, { recursive: true, force: true });
process.exit(printResult(rows));
