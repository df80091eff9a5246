import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

interface Watch {
  add(id: number, name: string): void;
  scan(): void;
  seconds(name: string): number | undefined;
  stop(): void;
}
const { watchProcesses } = (await import('../processor-time.mjs' as string)) as {
  watchProcesses(options?: { read?: () => string[]; everyMs?: number }): Watch;
};

/** A line of `/proc/<id>/stat`, in hundredths of a second; `ended` is of children waited for. */
function line(id: number, parent: number, time: number, { ended = 0, name = 'x', startedAt = 1 } = {}): string {
  return `${id} (${name}) S ${parent} 0 0 0 0 0 0 0 0 0 ${time} 0 ${ended} 0 0 0 0 0 ${startedAt}`;
}

/** Watches a machine whose processes a test names. Nothing is read but by `add` and `scan`. */
function openWatch(...first: string[]) {
  let lines = first;
  const watch = watchProcesses({ read: () => lines, everyMs: 2 ** 31 - 1 });
  const show = (...next: string[]) => {
    lines = next;
    watch.scan();
  };
  return { watch, show };
}

test('a part is charged for all that descends from its program, and for nothing else', () => {
  const { watch } = openWatch(
    line(10, 1, 100),
    line(11, 10, 200),
    line(12, 11, 50, { name: 'a) S 1 (b' }),
    line(20, 1, 7),
  );
  watch.add(10, 'part');
  expect([watch.seconds('part'), watch.seconds('other')]).toEqual([3.5, undefined]);
});

test('a process that lost its parent, and then ended, still counts', () => {
  const { watch, show } = openWatch(line(10, 1, 100), line(11, 10, 200), line(12, 11, 300));
  watch.add(10, 'part');
  show(line(10, 1, 100), line(12, 1, 400)); // its parent ended, and it began to belong to init
  show(line(10, 1, 100));
  expect(watch.seconds('part')).toBe(7);
});

test('unseen children count through their parent’s total, seen ones once', () => {
  const { watch, show } = openWatch(line(10, 1, 100), line(11, 10, 200));
  watch.add(10, 'part');
  show(line(10, 1, 100, { ended: 250 + 40 })); // 11 used 50 more after it was seen; another one used 40
  expect(watch.seconds('part')).toBe(3.9);
});

test('an id that is used again is another process', () => {
  const { watch, show } = openWatch(line(10, 1, 100), line(11, 10, 200));
  watch.add(10, 'part');
  show(line(10, 1, 100), line(11, 1, 900, { startedAt: 2 }));
  expect(watch.seconds('part')).toBe(3);
});

test('two parts count separately', () => {
  const { watch } = openWatch(line(10, 1, 100), line(11, 10, 1), line(20, 1, 200), line(21, 20, 2));
  watch.add(10, 'a');
  watch.add(20, 'b');
  expect([watch.seconds('a'), watch.seconds('b')]).toEqual([1.01, 2.02]);
});

test('processes that cannot be read have no number', () => {
  const { watch } = openWatch();
  watch.add(10, 'part');
  expect(watch.seconds('part')).toBeUndefined();
});

test.runIf(process.platform === 'linux')('real processes are counted: a child and its own child', async () => {
  const watch = watchProcesses();
  const work = `for (const end = process.cpuUsage().user + 300_000; process.cpuUsage().user < end; );`;
  const both = `${work} require('node:child_process').spawnSync(process.execPath, ['--eval', ${JSON.stringify(work)}]);`;
  const child = spawn(process.execPath, ['--eval', `${both} process.stdin.resume();`], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  watch.add(child.pid as number, 'part');
  for (let seconds = 0; seconds < 0.6; seconds = watch.seconds('part') ?? 0) {
    await new Promise(setImmediate);
    watch.scan();
  }
  child.stdin.end();
  await once(child, 'close');
  watch.stop();
  expect(watch.seconds('part')).toBeLessThan(10);
});
