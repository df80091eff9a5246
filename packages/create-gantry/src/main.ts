import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Asking, terminal } from './ask.ts';
import { createGadget } from './create-gadget.ts';
import { namesFor, shown } from './names.ts';
import { findPackageManager, type PackageManager, withCommandsOf } from './package-manager.ts';
import { ownEnvironment, type RunProgram, runProgram } from './run-program.ts';
import { summaries, templateNames } from './templates.ts';

/** Environment of a command line; tests have their own. */
export interface Surroundings {
  readonly cwd: string;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Absent: no questions. */
  readonly asking?: Asking | undefined;
  readonly run: RunProgram;
  readonly command: string;
}

const options = {
  template: { type: 'string' },
  packages: { type: 'string' },
  install: { type: 'boolean' },
  start: { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Long flags of the command, without `--`. */
export const flags: readonly string[] = Object.keys(options);

/** Returns the text of `--help`. */
export function helpOf(command: string): string {
  const lines = templateNames.map((name) => `                      ${name.padEnd(11)} ${summaries[name]}`);
  return `Usage: ${command} [FOLDER] [--template NAME] [--packages FOLDER] [--no-install | --start] [--yes] [--json]

Creates a gadget in a new or empty folder: manifest, page with data, story, test and CI. At a terminal it asks for missing
options. It never overwrites files. FOLDER's name becomes the id of the app (default: my-gadget).

  --template NAME     One of (default: ${templateNames[0]})
${lines.join('\n')}
  --packages FOLDER   Use tarballs of Gantry's packages, written by npm run pack
  --no-install        Do not install packages
  --start             Show the new gadget in a browser: gantry dev --open
  --yes               Ask nothing
  --json              Ask nothing, and print one object: id, name, folder, template, files, installed, next
  --help

Exit codes:
  0  created
  1  failed, and nothing was written; or created, but packages were not installed
  2  usage error

Examples:
  ${command} my-gadget
  ${command} my-gadget --template react --start
  ${command} my-gadget --yes --json
  ${command} my-gadget --packages ./tarballs`;
}

/** Runs one command line of `create-gantry` or `gantry create`. Resolves with the exit code. */
export async function main(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  around: Partial<Surroundings> = {},
): Promise<number> {
  const surroundings = { ...atTerminal(), ...around };
  const { out, err, command } = surroundings;
  let flags: Flags;
  try {
    flags = parse(args, command);
  } catch (error) {
    err(`${shown((error as Error).message)} See ${command} --help.`);
    return 2;
  }
  if (flags.help) {
    out(helpOf(command));
    return 0;
  }
  try {
    return await create(flags, env, surroundings);
  } catch (error) {
    err((error as Error).message);
    return 1;
  }
}

type Flags = ReturnType<typeof parse>;

function parse(args: readonly string[], command: string) {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  const { template, install, start } = values;
  const known = templateNames.find((name) => name === template);
  if (template !== undefined && known === undefined) {
    throw new Error(`--template takes ${templateNames.join(', ')}, not ${JSON.stringify(template)}.`);
  }
  if (positionals.length > 1) throw new Error(`${command} takes one folder.`);
  if (positionals[0] === '') throw new Error('The name of the folder is empty.');
  if (start && install === false) throw new Error('--start needs the packages, so it does not go with --no-install.');
  return { ...values, template: known, folder: positionals[0] };
}

async function create(flags: Flags, env: NodeJS.ProcessEnv, surroundings: Surroundings): Promise<number> {
  const { cwd, out, err, run } = surroundings;
  const { json = false, start = false } = flags;
  const asking = flags.yes || json ? undefined : surroundings.asking;
  const manager = findPackageManager(env);
  const name = flags.folder ?? (await asking?.text('Folder of the gadget:', 'my-gadget')) ?? 'my-gadget';
  const template = flags.template ?? (await asking?.choice('Written in:', summaries)) ?? templateNames[0];
  const target = resolve(cwd, name);
  if (target === cwd && namesFor(target)?.id !== basename(target)) {
    throw new Error(`This folder's name cannot be the id of an app: name a folder, for example my-gadget.`);
  }
  const packages = flags.packages === undefined ? undefined : resolve(cwd, flags.packages);
  const { id, title, folder, files } = createGadget({ folder: target, template, manager, packages });
  const place = placeOf(folder, cwd);
  if (!json) out(`Created ${id} (${shown(title)}), ${summaries[template]}: ${files.length} files in ${place}`);

  const question = `Install its packages with ${manager.name}?`;
  const wantsInstall = start || (flags.install ?? !/^n/i.test((await asking?.text(question, 'yes')) ?? 'yes'));
  const programs = { cwd: folder, env: ownEnvironment(env), quiet: json };
  const installed = wantsInstall && (await run(installing(manager), programs)) === 0;
  const hasFailed = wantsInstall && !installed;
  const commands = [...(installed ? [] : ['npm install']), 'npm run dev'].map((line) => withCommandsOf(manager, line));
  const next = folder === cwd ? commands : [`cd ${quotedForShell(place)}`, ...commands];
  if (json) {
    const packageManager = manager.name;
    out(JSON.stringify({ id, name: title, folder, template, packageManager, files, installed, next }));
  } else if (!start || hasFailed) for (const line of ['', 'Next:', ...next.map((each) => `  ${each}`)]) out(line);
  if (hasFailed) {
    err(`${manager.name} could not install the packages: see its output above. The gadget was created.`);
    return 1;
  }
  if (!start) return 0;
  const gantry = join(folder, 'node_modules/@gantry/cli/bin/gantry.js');
  return run([process.execPath, gantry, 'dev', '--open', ...(json ? ['--json'] : [])], { ...programs, quiet: false });
}

function atTerminal(): Surroundings {
  return {
    cwd: process.cwd(),
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    asking: process.stdin.isTTY && process.stderr.isTTY ? terminal : undefined,
    run: runProgram,
    command: 'create-gantry',
  };
}

/** Returns the command that installs packages. `--prefer-offline` uses cached ones. */
function installing({ name }: PackageManager): readonly [string, ...string[]] {
  return name === 'npm' ? ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'] : [name, 'install'];
}

/** Returns a folder below the current one by its relative path, others by their absolute one. */
function placeOf(folder: string, cwd: string): string {
  const way = relative(cwd, folder);
  return shown(way === '' ? '.' : way.startsWith('..') ? folder : way);
}

function quotedForShell(path: string): string {
  return /^[\w./:\\@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
