import { load } from './conditions.ts';

/** Collects checks, and prints each with the load of the machine. */
export interface Report {
  readonly passed: number;
  readonly failed: number;
  /** Records a check that failed if there are findings. */
  check(title: string, findings: readonly string[]): void;
}

const mostFindings = 5;

export function createReport(): Report {
  const report = { passed: 0, failed: 0, check };

  function check(title: string, findings: readonly string[]): void {
    const isRight = findings.length === 0;
    report[isRight ? 'passed' : 'failed']++;
    console.log(`${isRight ? '✓' : '✗'} ${title}, ${load()}`);
    for (const finding of findings.slice(0, mostFindings)) console.log(`    ${finding}`);
    if (findings.length > mostFindings) console.log(`    … and ${findings.length - mostFindings} more`);
  }

  return report;
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
