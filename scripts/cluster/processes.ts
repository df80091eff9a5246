import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A program of the cluster. */
export interface Program {
  readonly path: string;
  readonly args: readonly string[];
  /** File for what it prints. */
  readonly log: string;
  /** Network namespace; absent: that of the machine. */
  readonly namespace?: string | undefined;
}

/** Starts a program as user postgres. It ends with this process, even after `kill -9`. */
export function startProgram({ path, args, log, namespace }: Program): ChildProcess {
  const user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--pdeathsig=KILL'];
  const [program, ...rest] = [...(namespace ? ['ip', 'netns', 'exec', namespace] : []), ...user, path, ...args];
  const output = openSync(log, 'a');
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  try {
    // Detached: Ctrl-C is for this process, which ends them in order.
    return spawn(program as string, rest, { cwd: '/', env, stdio: ['ignore', output, output], detached: true });
  } finally {
    closeSync(output);
  }
}

/** Sends a signal to a process and all that it started. Those that have ended are left out. */
export function signalTree(pid: number | undefined, signal: NodeJS.Signals): void {
  for (const each of pid === undefined ? [] : treeOf(pid)) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended since.
    }
  }
}

/** Returns the processor time of a process and all that it started, ended ones included. */
export function processorSecondsOf(pid: number | undefined): number {
  const ticks = (pid === undefined ? [] : treeOf(pid)).map((each) => {
    try {
      const fields = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0); // own, and of ended children
    } catch {
      return 0;
    }
  });
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

const ticksPerSecond = 100;

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number) as [number, number];
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Returns the process of the PostgreSQL in a data folder, if there is one. */
export function postmasterOf(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(`${dataFolder}/postmaster.pid`, 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}
