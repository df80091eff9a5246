import { extname } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { isForAuthors } from '@gantry/proxy';
import { openFile } from '@gantry/store';
import { filesBelow } from '../project/files-below.ts';
import { type Reading, readSource } from './read-source.ts';
import type { Use } from './use.ts';

/** A text file of an app, by its path in the folder, with slashes. */
export interface Source extends Reading {
  readonly path: string;
  readonly text: string;
}

/** Files of an app's folder, up to the bounds in docs/limits.md. */
export interface Sources {
  /** Paths of all files but those of packages and dotted folders. */
  readonly files: readonly string[];
  /** Paths of all files. */
  readonly all: readonly string[];
  /** Pages, scripts and styles, and the sources that they are built from; not their build. */
  readonly texts: readonly Source[];
}

const largestBytes = 1_000_000;
const mostFiles = 500;
const mostText = 20_000_000;
const mostMilliseconds = 20_000;
const endings = new Set(['.html', '.htm', '.js', '.mjs', '.jsx', '.ts', '.mts', '.tsx', '.vue', '.svelte', '.css']);

/** @param options.milliseconds Time in which all files have to be read. */
export async function sourcesOf(folder: string, { milliseconds = mostMilliseconds } = {}): Promise<Sources> {
  const all = await filesBelow(folder);
  const files = all.filter((path) => !/(^|\/)(node_modules|\.[^/]+)\//.test(path)).slice(0, mostFiles);
  const builds = files.flatMap((path) => /^(?!public\/)(.+\/)gadget\.json$/.exec(path)?.[1] ?? []);
  const isOwn = (path: string) => !isForAuthors(path) && !builds.some((build) => path.startsWith(build));
  const within = timeLimit(milliseconds);
  const texts: Source[] = [];
  let length = 0;
  for (const path of files.filter((each) => endings.has(extname(each)) && isOwn(each))) {
    const file = await openFile(path, { below: folder });
    if (!file) continue;
    const text = (await file.readStart(largestBytes)).toString();
    length += text.length;
    if (length > mostText) break;
    const reading = within(() => readSource({ path, text })) ?? { uses: [], problems: [tooSlow], globals: [] };
    texts.push({ path, text, ...reading, problems: file.size > largestBytes ? [tooLarge] : reading.problems });
  }
  const globals = new Set(texts.flatMap((each) => each.globals));
  const isForeign = ({ code }: Use) => !globals.has(code.replace(/[.(].*/s, ''));
  return { files, all, texts: texts.map((source) => ({ ...source, uses: source.uses.filter(isForeign) })) };
}

const tooSlow = { at: 0, what: 'takes too long to parse' };
const tooLarge = { at: 0, what: `has more than ${largestBytes.toLocaleString('en')} bytes` };

/** Runs functions for a time in all: that to parse some TypeScript is exponential. */
function timeLimit(milliseconds: number): <Result>(run: () => Result) => Result | undefined {
  const end = performance.now() + milliseconds;
  const realm = createContext({});
  return (run) => {
    const timeout = Math.floor(end - performance.now());
    if (timeout <= 0) return undefined;
    try {
      return runInContext('run()', Object.assign(realm, { run }), { timeout });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return undefined;
    }
  };
}
