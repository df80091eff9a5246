import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Input, Prepare, Site } from './costs-input.ts';
import { inputs } from './costs-inputs.ts';
import { outcomes } from './costs-outcomes.ts';
import { openPage } from './costs-page.ts';
import type { Used } from './costs-process.ts';
import { median } from './figures/interval.ts';

const rounds = 3;

interface Measured extends Used {
  /** Longest wait of another client for `/healthz`. */
  readonly stoodMs: number;
  readonly signInMs?: number;
  readonly outcomes: string;
}

interface Attacked {
  readonly site: Site;
  readonly server: Child;
  readonly probe: Child;
}

/** Sends each hostile input to a fresh server and prints its cost beside an ordinary input's. */
export async function measureCosts(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('This needs Linux, which reports peak memory use.');
  const children: Child[] = [];
  const start = (file: string, args: readonly string[] = []) => {
    const child = startChild(file, args);
    children.push(child);
    return child;
  };
  try {
    const server = start('costs-process.ts');
    const { url } = await server.heard<{ url: string }>();
    const probe = start('costs-probe.ts', [url]);
    await probe.heard();
    const attacked = { site: { url, page: await openPage(url) }, server, probe };
    console.log(`Medians of ${rounds} rounds: a hostile input against an ordinary one of the same round`);
    for (const input of inputs) print(input, await measureInput(input, attacked));
  } finally {
    for (const child of children.reverse()) await child.end();
  }
}

interface Rounds {
  readonly ours: readonly Measured[];
  readonly against: readonly Measured[];
  /** The control measured again: its distance from `against` is the noise of this run. */
  readonly again: readonly Measured[];
}

async function measureInput({ attack, control }: Input, attacked: Attacked): Promise<Rounds> {
  const ours: Measured[] = [];
  const against: Measured[] = [];
  const again: Measured[] = [];
  await measure(control, attacked); // warm
  for (let round = 0; round < rounds; round++) {
    against.push(await measure(control, attacked));
    ours.push(await measure(attack, attacked));
    again.push(await measure(control, attacked));
  }
  return { ours, against, again };
}

async function measure(prepare: Prepare, { site, server, probe }: Attacked): Promise<Measured> {
  const run = await prepare(site);
  await server.ask('begin');
  await probe.ask('begin');
  const { answers, signInMs } = await run();
  const stoodMs = await probe.ask<number>('end');
  const used = await server.ask<Used>('end');
  return { ...used, stoodMs, outcomes: outcomes(answers), ...(signInMs !== undefined && { signInMs }) };
}

function print({ name, ordinary }: Input, { ours, against, again }: Rounds): void {
  const last = ours.at(-1);
  const line = (label: string, unit: string, of: (one: Measured) => number, typical = median) => {
    const [mine, control, noise] = [ours, against, again].map((list) => typical(list.map(of))) as [
      number,
      number,
      number,
    ];
    const ratio = (value: number) => (control < 0.05 ? '–' : (value / control).toFixed(2));
    const values = `${mine.toFixed(1)} against ${control.toFixed(1)} ${unit}, A/A ${ratio(noise)}`;
    return `  ${ratio(mine)} ×  ${label} (${values})`;
  };
  const lines = [
    `  answered ${last?.outcomes} against ${against.at(-1)?.outcomes}`,
    line('stood still', 'ms', ({ stoodMs }) => stoodMs),
    line('CPU', 'ms', ({ cpuMs }) => cpuMs),
    // The maximum: in later rounds the process may still hold memory of the first.
    line(
      'peak memory growth',
      'MB',
      ({ peakGrowthBytes }) => peakGrowthBytes / 1e6,
      (all) => Math.max(...all),
    ),
    ...(last?.signInMs === undefined ? [] : [line('longest sign-in', 'ms', ({ signInMs = 0 }) => signInMs)]),
    ...(last?.requestTokens ? [`  ${last.requestTokens} request tokens are stored`] : []),
  ];
  console.log([`\n${name}, against ${ordinary}`, ...lines].join('\n'));
}

/** A process of the measurement that replies once to each message. */
interface Child {
  heard<T>(): Promise<T>;
  ask<T>(message: 'begin' | 'end'): Promise<T>;
  end(): Promise<void>;
}

function startChild(file: string, args: readonly string[]): Child {
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv: ['--conditions=@gantry/source', '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code, signal]) => {
    throw new Error(`${file} ended: ${signal ?? code}`);
  });
  ended.catch(() => {});
  const heard = async <T>() => ((await Promise.race([once(child, 'message'), ended])) as [T])[0];
  return {
    heard,
    ask<T>(message: 'begin' | 'end') {
      child.send(message);
      return heard<T>();
    },
    async end() {
      if (child.connected) child.disconnect();
      await exit;
    },
  };
}
