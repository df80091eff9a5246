import { parseArgs } from 'node:util';
import { gridMain } from './grid/main.ts';
import { runHostile } from './run.ts';

const [part, ...rest] = process.argv.slice(2);
if (part === 'grid') process.exit(await gridMain(rest));
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(`Usage: npm run hostile -- [--rounds N] [--seed N]
       npm run hostile -- grid [--route TEXT] [--help]

Sends malformed requests over bare sockets to a server of its own, with good ones in between, and reports what it did that
it should not: wrong answers, open connections, leaks. A round is about 220 attacks; the seed makes a run repeatable.
With grid it measures what well-formed ones cost: each route in each hostile shape.

  npm run hostile
  npm run hostile -- --rounds 200 --seed 7
  npm run hostile -- grid --route /gantry/apps`);
  process.exit(0);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Seed ${seed}`);
const { findings, ...figures } = await runHostile({ rounds: Number(values.rounds), seed, tell: console.log });
console.log(figures);
for (const one of findings) console.log(`✗ ${one}`);
console.log(findings.length === 0 ? 'No findings.' : `${findings.length} findings.`);
process.exitCode = findings.length === 0 ? 0 : 1;
