// CI: `npm test`, then the examples that need programs of Debian. Ends with one `N passed, N failed` for both.
import { printResult, runParts, runScript } from './parts.mjs';
import { prepare } from './prepare.mjs';

const node = prepare();
const debian = ['php', 'python', 'deployment'];
const rows = await runParts([
  { title: 'npm test', run: () => runScript(node, ['scripts/test.mjs']) },
  { title: `Examples: ${debian.join(', ')}`, run: () => runScript(node, ['scripts/examples.mjs', ...debian]) },
]);
process.exit(printResult(rows));
