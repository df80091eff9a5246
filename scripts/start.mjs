// `npm start`: the demo community on one port, from a fresh clone.
import { become, fail, prepare, run } from './prepare.mjs';

const node = prepare();
if (run(node, ['scripts/build.mjs']) !== 0) fail('The browser scripts could not be built: see the lines above.');
become(node, ['demo/server.ts', ...process.argv.slice(2)]);
