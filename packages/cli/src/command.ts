import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '@gantry/server';
import { closest } from '@gantry/wire/runtime';
import type { Output } from './terminal/output.ts';

/**
 * Runs a command line, without the words that name the command.
 *
 * @throws UsageError for a usage error; any other error for a failure.
 */
export interface Run {
  (args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void>;
  /** Long flags that it takes, without `--`. */
  readonly flags: readonly string[];
  /** Words that may follow it, each with its own flags. */
  readonly verbs?: ReadonlyMap<string, Pick<Run, 'flags'>>;
}

/** A command: the first word after `gantry`. */
export interface Command {
  readonly name: string;
  /** One line of `gantry --help`. */
  readonly summary: string;
  /** Output of `gantry NAME --help`: usage, flags, examples. */
  readonly help: string;
  readonly run: Run;
}

type Flags = NonNullable<ParseArgsConfig['options']>;

export type ValuesOf<Declared extends Flags> = ReturnType<typeof parseArgs<{ options: Declared }>>['values'];

export interface CommandLine<Declared extends Flags> {
  readonly values: ValuesOf<Declared>;
  readonly positionals: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Prints the result: as JSON after `--json`, else the text. */
  print(result: unknown, text: string): void;
}

interface Syntax<Declared extends Flags> {
  readonly options: Declared;
  /** Takes words beside flags. Default: true. */
  readonly allowPositionals?: boolean;
  readonly allowNegative?: boolean;
  /** First words that it takes, for completions. */
  readonly verbs?: readonly string[];
}

/** Returns the function of a command or verb: it parses flags and words, then does the work. */
export function withFlags<const Declared extends Flags>(
  { verbs = [], ...syntax }: Syntax<Declared>,
  work: (line: CommandLine<Declared>) => Promise<void>,
): Run {
  const flags = Object.keys(syntax.options);
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv, output: Output) => {
    const config = { args: [...args], allowPositionals: true, ...syntax };
    const { values, positionals } = parseArgs<{ options: Declared }>(config);
    const isJson = 'json' in values && values.json === true;
    const print = (result: unknown, text: string) => output.out(isJson ? JSON.stringify(result) : text);
    await work({ values, positionals, env, output, print });
  };
  return Object.assign(run, { flags, verbs: new Map(verbs.map((verb) => [verb, { flags }])) });
}

/** Returns the function of a command with verbs, such as `gantry app add`. */
export function withVerbs(command: string, verbs: Readonly<Record<string, Run>>): Run {
  const runs = new Map(Object.entries(verbs));
  const run = async ([name = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, output: Output) => {
    const verb = runs.get(name);
    if (verb) return verb(args, env, output);
    const names = [...runs.keys()];
    const meant = closest(name, names);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new UsageError(`gantry ${command} takes ${names.join(', ')}.${hint} See gantry ${command} --help.`);
  };
  return Object.assign(run, { flags: [], verbs: runs });
}

/** Returns the one word that a command takes. @throws UsageError for none or several. */
export function onlyWord(positionals: readonly string[], command: string, meaning: string): string {
  const [word, ...more] = positionals;
  if (word && more.length === 0) return word;
  throw new UsageError(`gantry ${command} takes one ${meaning}. See gantry ${command.split(' ')[0]} --help.`);
}

/** Returns the folder that a command names, else this one. @throws UsageError if it is none. */
export function onlyFolder(positionals: readonly string[], command: string): string {
  const folder = resolve(positionals.length === 0 ? '.' : onlyWord(positionals, command, 'folder'));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`${folder} is not a folder.`);
}
