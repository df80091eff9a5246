// `npm run durability`: kills a writing server and checks its data.
import { become, prepare, sourceEnv } from './prepare.mjs';

become(prepare(), ['bench/durability/main.ts', ...process.argv.slice(2)], { env: sourceEnv() });
