// `npm run durability`: kills a writing server repeatedly, disturbs its database and checks the
// data.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { databaseGone, runFault, sqliteFaults } from './faults.ts';
import { runKills } from './kills.ts';
import { startPostgres } from './postgres.ts';

const usage = `Usage: npm run durability [-- OPTIONS]

Starts a server, lets clients write through HTTP (AppData of several keys, deletes, activities), kills it with SIGKILL at a
random moment, starts it again and checks: no acknowledged write lost, every write of several keys whole, every used nonce
still refused, ready in under 2 s. With PostgreSQL, the database is killed too: alone, with the server, or not at all.
With --faults the disk then fills up, the file is frozen, or the database is locked or unreachable, for a while. Errors
must be clear, possible reads work, /readyz fail, and the server recover without a restart. Exits with 1 on any finding.

  --database NAME   sqlite (default) or postgres, which is started for it
  --kills N         How often (default 200, of PostgreSQL 50)
  --writers N       How many clients write at once (default 16)
  --faults SEC      How long each fault lasts (default: no faults). A full disk and a frozen file need root.

  npm run durability
  npm run durability -- --kills 20 --writers 32
  npm run durability -- --database postgres --faults 30
  npm run durability -- --kills 0 --faults 30`;

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string' },
    writers: { type: 'string', default: '16' },
    faults: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const isPostgres = values.database === 'postgres';
const kills = Number(values.kills ?? (isPostgres ? 50 : 200));
const writers = Number(values.writers);
const seconds = Number(values.faults ?? 0);
const isWrong =
  [kills, writers, seconds].some((number) => !(number >= 0)) || !/^(sqlite|postgres)$/.test(values.database);
if (values.help || isWrong) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const database = isPostgres ? await startPostgres() : undefined;
const on = { writers, ...(database && { database }) };
const survived = kills === 0 || (await tryKills());
const passed = seconds === 0 || (await tryFaults());
await database?.close();
process.exitCode = survived && passed ? 0 : 1;

async function tryKills(): Promise<boolean> {
  const { acknowledged, replayed, readyMs, findings } = await runKills({
    kills,
    ...on,
    onKill(report) {
      if (report.kills % 10 !== 0) return;
      console.error(
        `${report.kills} of ${kills} kills, ${report.acknowledged} acknowledged, ${report.findings.length} wrong`,
      );
    },
  });
  for (const finding of findings) console.log(finding);
  const times = readyMs.toSorted((a, b) => a - b).map(Math.round);
  const median = times[Math.floor(times.length / 2)] as number;
  const longest = times.at(-1) as number;
  console.log(`${kills} kills under ${writers} writers on ${isPostgres ? 'PostgreSQL' : 'SQLite'}
  acknowledged writes       ${acknowledged}
  used requests sent again  ${replayed}
  lost, torn, made up, accepted twice   ${findings.length}
  ready again               median ${median} ms, longest ${longest} ms, on ${availableParallelism()} cores under a load of ${loadavg()[0]?.toFixed(1)}`);
  return findings.length === 0 && longest < 2_000;
}

async function tryFaults(): Promise<boolean> {
  let wrong = 0;
  const faults = database ? [databaseGone(database)] : sqliteFaults();
  if (!database && faults.length === 1) console.error('Skipped a full disk and a frozen file: they need root.');
  for (const fault of faults) {
    const { name, recoveredMs, findings } = await runFault(fault, { seconds, ...on });
    for (const finding of findings) console.log(`${name}: ${finding}`);
    console.log(
      `${name} for ${seconds} s: ${findings.length} wrong, ready ${Math.round(recoveredMs)} ms after it passed`,
    );
    wrong += findings.length;
  }
  return wrong === 0;
}
