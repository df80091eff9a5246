// Runs the gantry command and reports its CPU time: `scale-process.ts ARG …`
import { main } from '@gantry/cli';

process.exitCode = await main(process.argv.slice(2), process.env);
const { user, system } = process.cpuUsage();
process.send?.(user + system);
process.disconnect?.();
