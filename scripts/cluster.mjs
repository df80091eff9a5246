// `npm run cluster`: Gantry over PostgreSQL as people run it, with programs of Debian.
import { installDebian, missingPackages } from './debian.mjs';
import { become, prepare } from './prepare.mjs';

const patroni = ['patroni', 'etcd-server', 'haproxy', 'postgresql-15', 'iproute2'];
const packages = {
  pooler: ['pgbouncer'],
  failover: patroni,
  replicas: patroni,
  sharding: ['postgresql-15'],
  year: ['postgresql-15'],
  fleet: ['haproxy', 'postgresql-15', 'iproute2', 'faketime'],
};

const help = `Usage: npm run cluster -- pooler | failover | replicas | sharding | year | fleet [--short]

pooler    Runs the tests of the databases through PgBouncer: in transaction mode, in session mode, and in transaction mode
          with a pooler that drops the settings of sessions and says nothing. --short: those of the driver only.
failover  Lets 8 clients write through two Gantrys over a Patroni cluster of three behind HAProxy, and takes its leader away:
          killed, killed with its Patroni, paused, paused with its Patroni, cut off from the network; with other settings; and,
          as the control, where acknowledged writes are lost. Needs root. --short: killed with its Patroni only.
replicas  Reads through standbys of such a cluster: how many reads a second at 0, 1 and 2 of them and what they cost, and that
          none is older than the write before it, with standbys that are behind, paused or killed. Needs root.
          --short: two standbys, fewer reads.
sharding  Spreads friendships, blocks and posts over three servers by partitions and postgres_fdw: what is refused, the tests of
          the thirty rows and of visibility, times beside one server, one server down, torn friendships. Needs root.
          --short: without the times of one server.
year      Imports a generated world of --members=N (default 1,000,000; --short: 20,000), and measures the ten most used calls
          with little and much memory, disk by table, vacuum, pg_dump and pg_restore. Needs root, and 12 GB of disk for a
          million members.
fleet     Runs four Gantrys on two machines behind HAProxy without stickiness: upgraded from an older commit (--from=COMMIT,
          default HEAD~50) under load, events between machines, a machine cut off for a minute, a clock 40 s off, a full disk.
          Needs root. --short: cut off for 5 s, fewer events.

Installs what is missing of Debian's packages. Ends with "N passed, N failed".

  npm run cluster -- pooler
  npm run cluster -- failover --short
  npm run cluster -- year --members=300000
  npm run cluster -- fleet --from=v1.0.0`;

const [command, ...flags] = process.argv.slice(2);
const own = { year: /^--members=[1-9]\d{2,8}$/, fleet: /^--from=[\w./~^-]+$/ }[command];
const isFlag = (flag) => flag === '--short' || own?.test(flag);
const needed = packages[command];
if (needed === undefined || flags.some((flag) => !isFlag(flag))) {
  console.log(help);
  process.exit(command === '--help' ? 0 : 1);
}
const node = prepare();
const problem = await installDebian(needed);
if (problem) {
  console.log(`${missingPackages(problem)}\n\n0 passed, 1 failed`);
  process.exit(1);
}
if (command === 'pooler') {
  const { runPooler } = await import('./cluster/pooler.mjs');
  process.exit(await runPooler(node, { isShort: flags.includes('--short') }));
}
become(node, ['scripts/cluster/main.ts', command, ...flags]);
