// `npm run hostile`: malformed requests over bare sockets, in any number.
import { become, prepare, sourceEnv } from './prepare.mjs';

become(prepare(), ['bench/hostile/main.ts', ...process.argv.slice(2)], { env: sourceEnv() });
