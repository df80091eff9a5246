import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A temporary folder of user postgres. */
export interface Folder {
  path(name: string): string;
  write(name: string, text: string, mode?: number): string;
  /** Returns the ends of all logs. */
  logs(): string;
  remove(): void;
}

export function createFolder(): Folder {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const [user, group] = [id('-u'), id('-g')];
  const folder = mkdtempSync('/tmp/gantry-cluster-');
  chownSync(folder, user, group);
  const path = (name: string) => join(folder, name);
  return {
    path,
    write(name, text, mode = 0o600) {
      writeFileSync(path(name), text, { mode });
      chownSync(path(name), user, group);
      return path(name);
    },
    logs: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => `${name}:\n${readFileSync(path(name), 'utf8').slice(-600)}`)
        .join('\n'),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
