import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type TimerScope, takeTimers } from '../agent/frame-timers.ts';
import { createTimeZone } from '../agent/time-zone.ts';
import { createJumpingClock } from '../src/jumping-clock.ts';

// The agent changes the Date of its window for good, so each case runs in a process of its own.

const agentFolder = new URL('../agent/', import.meta.url).href;

function inProcess(timeZone: string, script: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TZ: timeZone },
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/**
 * Everything that local time shows, at instants around the changes of a year and at random ones.
 */
const probe = `
  const instants = [0, -1e12, 1.6e12, NaN];
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let index = 0; index < 60; index++) instants.push(Math.floor(random() * 2.5e12));
  for (let hour = 0; hour < 24 * 8; hour++) instants.push(Date.UTC(2026, 2, 26) + hour * 3_600_000 + 1_234, Date.UTC(2026, 9, 22) + hour * 3_600_000, Date.UTC(2026, 3, 2) + hour * 1_800_000);
  const seen = instants.map((ms) => {
    const date = new Date(ms);
    const local = [date.getFullYear(), date.getMonth(), date.getDate(), date.getDay(), date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds()];
    const set = new Date(ms); set.setHours(2, 30); const day = new Date(ms); day.setDate(day.getDate() + 1);
    const texts = [date.toString(), date.toDateString(), date.toTimeString(), date.toLocaleString('en'), date.toLocaleDateString('de'), date.toLocaleTimeString('fr')].map((text) => text.replace(/ \\([^)]*\\)$/, '')); // the zone's name is the engine's choice
    return [...local, ...texts, date.getTimezoneOffset(), set.getTime(), day.getTime(), new Date(...local.slice(0, 3), 2, 15).getTime(), new Date(date.getFullYear(), 2, 29, 2, 30).getTime(), Number.isNaN(ms) ? 0 : new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' }).format(date)];
  });
  const parsed = ['2026-03-29T02:30', '2026-11-22', '2026-11-22T10:00Z', 'Nov 22, 2026 10:00', '2026-10-25T02:30:00.5', 'Sun Nov 22 2026 10:00:00 GMT+0100', 'Sun, 22 Nov 2026 10:00:00 GMT', '11/22/2026', 'nonsense'].map((text) => [Date.parse(text), new Date(text).getTime()]);
  console.log(JSON.stringify([seen, parsed, Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(2026, 0).getTime(), new Date(NaN).toString()]));`;

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
  'local time of a frame is that of the scenario, as a machine in %s would show it',
  (zone) => {
    const taken = `
      const { takeDate, takeFormats } = await import('${agentFolder}frame-date.ts');
      const { createTimeZone } = await import('${agentFolder}time-zone.ts');
      const zone = createTimeZone('${zone}', Intl);
      takeDate(globalThis, { now: Date.now.bind(Date), zone });
      takeFormats(Intl, zone);`;
    expect(inProcess('Pacific/Auckland', taken + probe)).toEqual(inProcess(zone, probe));
  },
);

test('the clock of a frame is ahead, and dates stay the browser’s own', () => {
  const script = `
    const native = Date;
    const { takeDate } = await import('${agentFolder}frame-date.ts');
    const before = native.now();
    let aheadMs = 3_600_000;
    const nativeNow = native.now.bind(native);
    takeDate(globalThis, { now: () => nativeNow() + aheadMs });
    class Day extends Date {}
    const near = (ms, hours) => Math.abs(ms - before - hours * 3_600_000) < 5_000;
    console.log(JSON.stringify([near(Date.now(), 1), near(new Date().getTime(), 1), near(new Day().getTime(), 1), new Day() instanceof Day, structuredClone(new Date(0)) instanceof Date, new Date(5).getTime(), typeof Date(), new Date(0).constructor === Date, Date.UTC(2026, 0), (aheadMs = 7_200_000, near(Date.now(), 2))]));`;
  expect(inProcess('UTC', script)).toEqual([true, true, true, true, true, 5, 'string', true, Date.UTC(2026, 0), true]);
});

test('an unknown time zone is refused', () => {
  expect(() => createTimeZone('Mars/Olympus', Intl)).toThrow(RangeError);
});

/** Timers of a window whose time is moved by hand. */
function handMade() {
  let nowMs = 0;
  let lastId = 0;
  const set = new Map<number, { readonly atMs: number; readonly run: () => void }>();
  const scope: TimerScope = {
    setTimeout(run, ms = 0, ...values) {
      lastId += 1;
      set.set(lastId, { atMs: nowMs + Math.max(0, ms), run: () => (run as (...values: unknown[]) => void)(...values) });
      return lastId;
    },
    clearTimeout: (id = 0) => void set.delete(id),
    setInterval: () => 0,
    clearInterval: () => {},
  };
  function pass(ms: number): void {
    const endMs = nowMs + ms;
    for (;;) {
      const next = [...set]
        .filter(([, { atMs }]) => atMs <= endMs)
        .sort((a, b) => a[1].atMs - b[1].atMs || a[0] - b[0])[0];
      if (next === undefined) break;
      const [id, { atMs, run }] = next;
      set.delete(id);
      nowMs = atMs;
      run();
    }
    nowMs = endMs;
  }
  const { setTimeout: setNative, clearTimeout: clearNative } = scope;
  const time = createJumpingClock({
    ...{ now: () => nowMs, elapsed: () => nowMs },
    ...{ set: (fire, ms) => setNative(fire, ms), clear: clearNative },
  });
  takeTimers(scope, time);
  return { scope, pass, jump: (ms: number) => time.set({ aheadMs: time.state.aheadMs + ms }) };
}

test('a jump lets timers fire that became due, once and in their order, and brings the others nearer', () => {
  const { scope, pass, jump } = handMade();
  const fired: string[] = [];
  scope.setTimeout(() => fired.push('late'), 31_000);
  scope.setTimeout((name: string) => fired.push(name), 20_000, 'second');
  scope.setTimeout(() => fired.push('first'), 10_000);
  const every = scope.setInterval(() => fired.push('every'), 5_000);
  const cleared = scope.setTimeout(() => fired.push('cleared'), 1_000);
  scope.clearTimeout(cleared);
  jump(30_000);
  pass(0);
  expect(fired).toEqual(['every', 'first', 'second']);
  pass(999);
  expect(fired).toHaveLength(3);
  pass(1);
  expect(fired).toEqual(['every', 'first', 'second', 'late']);
  pass(4_000);
  expect(fired.filter((name) => name === 'every')).toHaveLength(2);
  scope.clearInterval(every);
  pass(60_000);
  expect(fired.filter((name) => name === 'every')).toHaveLength(2);
});

test('timers run as ever without a jump; an interval can end itself', () => {
  const { scope, pass } = handMade();
  const fired: number[] = [];
  const id = scope.setInterval(() => {
    fired.push(1);
    if (fired.length === 3) scope.clearInterval(id);
  }, 10);
  scope.setTimeout(() => fired.push(0), 0);
  pass(1_000);
  expect(fired).toEqual([0, 1, 1]);
});
