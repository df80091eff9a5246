// The commands of `npm run cluster` that need servers of their own.
import { describeMachine, load } from './conditions.ts';
import { runFailover } from './failover.ts';
import { runReplicas } from './replicas.ts';

// The parent holds the other end of the channel. Each cluster is removed when this process exits.
process.on('disconnect', () => process.exit(1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const commands = { failover: runFailover, replicas: runReplicas };
const [command, ...flags] = process.argv.slice(2);

console.log(describeMachine(['postgresql-15', 'patroni', 'etcd-server', 'haproxy']));
const result = { passed: 0, failed: 0 };
try {
  if (process.getuid?.() !== 0) throw new Error('Network namespaces and other users need root: run this as root.');
  Object.assign(result, await commands[command as keyof typeof commands]({ isShort: flags.includes('--short') }));
} catch (error) {
  console.error(error);
  result.failed++;
}
console.log(`\n${load()} at the end\n\n${result.passed} passed, ${result.failed} failed`);
process.exit(result.failed === 0 && result.passed > 0 ? 0 : 1);
