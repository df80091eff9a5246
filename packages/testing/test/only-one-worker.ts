import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { onlyOne } from '../src/build/only-one.ts';

// Works ten times under a lock, and writes when it begins and ends. Without a lock it just works.
const [, , lock = '', log = ''] = process.argv;

async function work(): Promise<void> {
  appendFileSync(log, `${process.pid} begins\n`);
  await pause(5);
  appendFileSync(log, `${process.pid} ends\n`);
}

for (let time = 0; time < 10; time += 1) await (lock.endsWith('none') ? work() : onlyOne(lock, 20_000, work));
