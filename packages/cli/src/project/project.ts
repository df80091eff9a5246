import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScript, type Script } from './script.ts';

/** A stranger's project: file names and texts within bounds, without symbolic links. */
export interface Project {
  readonly folder: string;
  /** Paths of regular files with slashes, relative to the folder, nearest first. */
  readonly files: readonly string[];
  /** Returns a file's text; `undefined` if missing, a symbolic link, too large or not text. */
  read(path: string): string | undefined;
  /** Returns a parsed file; `undefined` if it cannot be read or parsed. */
  script(path: string): Script | undefined;
}

const mostFiles = 5_000;
const deepest = 8;
const largestBytes = 256 * 1024;

/** Folders of third-party code and build output. */
const foreign =
  /^(\..*|node_modules|vendor|dist|build|out|coverage|target|venv|env|site-packages|__pycache__|__tests__|tests?)$/i;

/** Lists a project's files; reads on demand. @throws Error if the folder itself cannot be read. */
export function readProject(folder: string): Project {
  const read = once((path) => readText(join(folder, path)));
  const script = once((path) => {
    const text = read(path);
    return text === undefined ? undefined : parseScript(path, text);
  });
  return { folder, files: filesOf(folder), read, script };
}

function once<Value>(make: (path: string) => Value): (path: string) => Value {
  const made = new Map<string, Value>();
  return (path) => {
    if (!made.has(path)) made.set(path, make(path));
    return made.get(path) as Value;
  };
}

function filesOf(folder: string): readonly string[] {
  const files: string[] = [];
  const folders = ['']; // grows during the loop
  let seen = 0;
  for (const parent of folders) {
    const isDeepest = parent.split('/').length === deepest;
    for (const entry of entriesOf(join(folder, parent), parent === '')) {
      if (++seen > mostFiles) return files;
      const path = parent + entry.name;
      if (!isPlain(entry.name)) continue;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !isDeepest && !foreign.test(entry.name)) folders.push(`${path}/`);
    }
  }
  return files;
}

function entriesOf(folder: string, mustBeReadable: boolean) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (mustBeReadable) throw error;
    return [];
  }
}

/** Returns whether a terminal and a diff can show a name; files with others are skipped. */
function isPlain(name: string): boolean {
  return /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]+$/u.test(name);
}

function readText(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const facts = fstatSync(file);
    if (!facts.isFile() || facts.size > largestBytes) return undefined;
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) && !text.includes('\0') ? text : undefined; // writing would change text that is not UTF-8
  } finally {
    closeSync(file);
  }
}
