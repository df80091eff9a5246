import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { onlyOne } from '../src/build/only-one.ts';

// Works ten times under a lock, and writes when it begins and ends. The one that begins after some
// others waits at work until it is killed. Without a lock the first waits at work for a second one.
const [, , lock = '', log = ''] = process.argv;

const isLocked = !lock.endsWith('none');

async function work(): Promise<void> {
  appendFileSync(log, `${process.pid} begins\n`);
  if (isVictim()) await pause(60_000);
  if (!isLocked) await another();
  await pause(5);
  appendFileSync(log, `${process.pid} ends\n`);
}

/** Waits until another process has begun. */
async function another(): Promise<void> {
  const isOther = (line: string) => line !== '' && !line.startsWith(`${process.pid} `);
  while (!readFileSync(log, 'utf8').split('\n').some(isOther)) await pause(5);
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

for (let time = 0; time < 10; time += 1) await (isLocked ? onlyOne(lock, 20_000, work) : work());
