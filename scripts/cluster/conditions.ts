import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release } from 'node:os';

/** Returns the load average of the last minute, for beside a figure. */
export function load(): string {
  return `load ${(loadavg()[0] ?? 0).toFixed(1)}`;
}

const packages = ['postgresql-15', 'patroni', 'etcd-server', 'haproxy'];

/** Returns the machine, and the versions of those of Debian's packages that are installed. */
export function describeMachine(): string {
  const args = ['-W', '-f', `\${Package} \${Version}\n`, ...packages];
  const { stdout } = spawnSync('dpkg-query', args, { encoding: 'utf8' });
  const model = cpus()[0]?.model ?? 'unknown';
  return [
    `${availableParallelism()} × ${model}, Linux ${release()}, Node ${process.version}, ${load()}`,
    stdout.trim().replaceAll('\n', ', '),
  ].join('\n');
}
