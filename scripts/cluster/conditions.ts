import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release } from 'node:os';

/** Returns the load average of the last minute, for beside a figure. */
export function load(): string {
  return `load ${(loadavg()[0] ?? 0).toFixed(1)}`;
}

/** Returns the machine and the versions of Debian's packages, in lines. */
export function describeMachine(packages: readonly string[]): string {
  const versions = execFileSync('dpkg-query', ['-W', '-f', `\${Package} \${Version}\n`, ...packages], {
    encoding: 'utf8',
  });
  const model = cpus()[0]?.model ?? 'unknown';
  return [
    `${availableParallelism()} × ${model}, Linux ${release()}, Node ${process.version}, ${load()}`,
    versions.trim().replaceAll('\n', ', '),
  ].join('\n');
}
