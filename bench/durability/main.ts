// `npm run durability`: kills a writing server again and again and checks what is left.
import { parseArgs } from 'node:util';
import { runKills } from './kills.ts';

const usage = `Usage: npm run durability [-- --kills N] [--writers N]

Starts a server, lets clients write through HTTP (AppData of several keys, deletes, activities), kills it with SIGKILL at a
random moment, starts it again and checks: no acknowledged write lost, every write of several keys whole, every used nonce
still refused, ready in under 2 s. Ends with code 1 if anything is wrong.

  --kills N      How often (default 200)
  --writers N    How many clients write at once (default 16)

  npm run durability
  npm run durability -- --kills 20 --writers 32`;

const { values } = parseArgs({
  options: { kills: { type: 'string' }, writers: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
const kills = Number(values.kills ?? 200);
const writers = Number(values.writers ?? 16);
const result = await runKills({
  kills,
  writers,
  onKill({ kills: done, acknowledged, findings }) {
    if (done % 10 === 0)
      console.error(`${done} of ${kills} kills, ${acknowledged} acknowledged, ${findings.length} wrong`);
  },
});
const times = result.readyMs.toSorted((a, b) => a - b).map(Math.round);
for (const finding of result.findings) console.log(finding);
console.log(`${result.kills} kills of a server with ${writers} writers on SQLite
  acknowledged writes   ${result.acknowledged}
  lost, torn, made up   ${result.findings.length}
  replays refused       ${result.replayed - result.findings.filter((one) => one.includes('used before')).length} of ${result.replayed}
  ready again           median ${times[Math.floor(times.length / 2)]} ms, longest ${times.at(-1)} ms`);
process.exitCode = result.findings.length === 0 && (times.at(-1) ?? 0) < 2_000 ? 0 : 1;
