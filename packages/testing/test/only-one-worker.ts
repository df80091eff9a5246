import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { onlyOne } from '../src/build/only-one.ts';

// Works ten times under a lock, and writes when it begins and ends. Without a lock it just works.
// The one that begins after some others waits at work until it is killed.
const [, , lock = '', log = ''] = process.argv;

async function work(): Promise<void> {
  appendFileSync(log, `${process.pid} begins\n`);
  if (isVictim()) await pause(60_000);
  await pause(5);
  appendFileSync(log, `${process.pid} ends\n`);
}

function isVictim(): boolean {
  if (readFileSync(log, 'utf8').split('\n').length < 10) return false;
  try {
    writeFileSync(`${log}.victim`, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    return false; // there is one
  }
}

for (let time = 0; time < 10; time += 1) await (lock.endsWith('none') ? work() : onlyOne(lock, 20_000, work));
