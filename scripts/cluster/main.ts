// The commands of `npm run cluster` that need servers of their own.
import { describeMachine } from './conditions.ts';
import { runFailover } from './failover.ts';
import { runFleet } from './fleet.ts';
import { runReplicas } from './replicas.ts';
import { createReport } from './report.ts';
import { runSharding } from './sharding.ts';
import { runYear } from './year.ts';

// The parent holds the other end of the channel. Each cluster is removed when this process exits.
process.on('disconnect', () => process.exit(1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const commands = {
  failover: runFailover,
  fleet: runFleet,
  replicas: runReplicas,
  sharding: runSharding,
  year: runYear,
};
const [command, ...flags] = process.argv.slice(2);
const flagValue = (name: string) => flags.find((flag) => flag.startsWith(`${name}=`))?.slice(name.length + 1);
const members = flagValue('--members');

console.log(describeMachine());
const report = createReport();
try {
  if (process.getuid?.() !== 0) throw new Error('Other users and network namespaces need root: run this as root.');
  await commands[command as keyof typeof commands](report, {
    isShort: flags.includes('--short'),
    from: flagValue('--from'),
    ...(members && { members: Number(members) }),
  });
} catch (error) {
  console.error(error);
  report.check('the run', ['It ended by the error above.']);
}
console.log(`\n${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 && report.passed > 0 ? 0 : 1);
