import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ViteDevServer } from 'vite';
import type { BuildProblem } from '../protocol.ts';

/** Reports the current error of an app's build, or its success. */
export type TellBuild = (problem: BuildProblem | undefined) => void;

/** Files of an app that do not build. */
export type BuildProblems = ReturnType<typeof createBuildProblems>;

/** Additional members of errors of Vite, Rolldown and plugins. */
interface BuildError extends Error {
  readonly errors?: readonly BuildError[];
  readonly id?: string;
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number };
  readonly frame?: string;
}

export function createBuildProblems(options: {
  readonly folder: string;
  readonly tell: TellBuild;
  readonly server: () => ViteDevServer | undefined;
}) {
  const { folder, tell, server } = options;
  const problems = new Map<string, { readonly text: string; readonly retry: () => Promise<unknown> }>();
  let count = 0;

  /** @param retry Rejects while the file is broken. Default: builds the module in the error. */
  function add(thrown: BuildError, retry?: () => Promise<unknown>): void {
    const error = thrown.loc ? thrown : (thrown.errors?.find(({ loc }) => loc) ?? thrown);
    const file = error.loc?.file ?? (thrown.id ?? error.id)?.replace(/[?#].*$/s, '');
    const key = thrown.id ?? file ?? '';
    const problem = problemOf(
      { ...(error.loc && { loc: error.loc }), message: error.message || thrown.message },
      file,
      folder,
    );
    const text = JSON.stringify(problem);
    count += 1;
    const isNews = problems.get(key)?.text !== text;
    problems.set(key, { text, retry: retry ?? (() => build(key)) });
    if (isNews) tell(problem);
  }

  async function build(id: string): Promise<unknown> {
    const environment = server()?.environments.client;
    const url = environment?.moduleGraph.getModuleById(id)?.url;
    return url === undefined ? undefined : environment?.transformRequest(url);
  }

  return {
    /** Number of files ever added. */
    get count(): number {
      return count;
    },
    add,
    /** Rebuilds broken files, after a change. */
    async recheck(): Promise<void> {
      if (problems.size === 0) return;
      for (const [key, { retry }] of [...problems]) {
        try {
          await retry();
          problems.delete(key);
        } catch (error) {
          if ((error as { readonly code?: unknown }).code === 'ERR_LOAD_URL') problems.delete(key);
          else add(error as BuildError, retry);
        }
      }
      if (problems.size === 0) tell(undefined);
    },
  };
}

function problemOf(error: Pick<BuildError, 'loc' | 'message'>, file: string | undefined, folder: string): BuildProblem {
  const place = file !== undefined && isAbsolute(file) ? { file: shown(folder, file) } : {};
  const { line, column } = error.loc ?? {};
  const source = file !== undefined && line !== undefined ? linesAround(resolve(folder, file), line) : undefined;
  return {
    message: messageOf(error, folder),
    ...place,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column: column + 1 }), // Vite counts columns from 0, editors from 1
    ...(source !== undefined && { frame: source }),
  };
}

/** Removes colours, source lines and the plugin from a message: the card shows the source. */
function messageOf({ message }: { readonly message: string }, folder: string): string {
  const text = stripVTControlCharacters(message).replaceAll(`${folder}${sep}`, '');
  const fromHere = relative('', folder); // Vite uses paths relative to its start folder
  const lines = (fromHere === '' ? text : text.replaceAll(`${fromHere}${sep}`, '')).split('\n');
  const drawn = /^\s*(?:[╭│·╰─]|\d+ [│|]|>?\s*\d+\s*\||\||at |(?:Transform|Build) failed with)/;
  const kept = lines.filter((line) => line.trim() !== '' && !drawn.test(line)).slice(0, 4);
  return (
    kept
      .join('\n')
      .replace(/^\[[A-Z_]+\] /, '')
      .slice(0, 1_000) || 'The app could not be built.'
  );
}

const around = 3;

/** Returns source lines with their numbers, that of the mistake marked: `> 12 | code`. */
function linesAround(file: string, line: number): string | undefined {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    const from = Math.max(1, line - around);
    const to = Math.min(lines.length, line + around);
    const width = String(to).length;
    return lines
      .slice(from - 1, to)
      .map(
        (text, index) =>
          `${from + index === line ? '>' : ' '} ${String(from + index).padStart(width)} | ${text.slice(0, 400)}`,
      )
      .join('\n');
  } catch {
    return undefined;
  }
}

function shown(folder: string, file: string): string {
  const path = relative(folder, file);
  return path.startsWith('..') || isAbsolute(path) ? file : path.split(sep).join('/');
}
