import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import type { Judged } from './figure.ts';
import type { Count, Report } from './report.ts';

/** Results of one run, as a file. */
export interface Results {
  readonly commit: string;
  readonly subject: string;
  readonly committedAt: string;
  /** True where files differed from the commit. */
  readonly isChanged: boolean;
  readonly machine: string;
  readonly figures: readonly Judged[];
  readonly counts: readonly Count[];
}

/** Writes a run's results, its numbers with four digits, beside the commit that was measured. */
export function writeResults(file: string, { judged: figures, counts }: Pick<Report, 'judged' | 'counts'>): void {
  const [commit = '', committedAt = '', subject = ''] = git('show', '-s', '--format=%h%n%cI%n%s').split('\n');
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  const machine = `${cpus()[0]?.model ?? 'a processor'}, ${availableParallelism()} cores, Node ${process.version}`;
  const results: Results = {
    commit,
    subject,
    committedAt,
    isChanged,
    machine,
    figures: figures.map(shortened),
    counts,
  };
  writeFileSync(file, `${JSON.stringify(results)}\n`);
}

export function readResults(file: string): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

function shortened(figure: Judged): Judged {
  const short = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  return JSON.parse(JSON.stringify(figure, short)) as Judged;
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}
