import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { UsageError } from '@gantry/server';
import { askYes } from '../ask-yes.ts';
import { plain } from '../init/show-diff.ts';
import type { Output } from '../output.ts';
import { codemods } from '../upgrade/codemods.ts';
import { upgradeFolder } from '../upgrade/upgrade-folder.ts';
import type { Command } from './command.ts';

/** `gantry upgrade` */
export const upgrade: Command = {
  name: 'upgrade',
  summary: 'Bring the folder of a gadget to this version: show the difference, ask, write it',
  help: `Usage: gantry upgrade [FOLDER] [--schema URL] [--yes | --check] [--json]

Runs codemods over a gadget's folder, or over one with several: shows every change as one diff, asks once, and writes all
of it or nothing. Formatting stays. What it cannot do it names. A second run finds nothing to do.

${codemods.map(({ name, summary }) => `  ${name.padEnd(16)}${summary}`).join('\n')}

  FOLDER        The gadget's folder (default: this one)
  --schema URL  Schema that gadget.json names, where no @gantry/cli is installed that brings it
  --yes         Write without asking
  --check       Write nothing, and end with 1 where something is to be done
  --json        Print one object: changes, codemods, problems, written
  --help

Exit codes:
  0  written, or nothing to do
  1  --check found something to do, or something could not be done
  2  not understood
  3  the difference was shown and not written: no terminal to ask at without --yes, or the answer was no

Examples:
  gantry upgrade
  gantry upgrade ./my-gadget --yes
  gantry upgrade --check --json`,
  run,
};

const options = {
  schema: { type: 'string' },
  yes: { type: 'boolean' },
  check: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

async function run(args: readonly string[], _env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { schema, yes, check, json = false } = values;
  if (positionals.length > 1) throw new UsageError('gantry upgrade takes one folder. See gantry upgrade --help.');
  if (yes && check) throw new UsageError('Say either --yes or --check.');
  if (schema !== undefined && !/^https?:\/\/[^\s"\\]+$/.test(schema)) {
    throw new UsageError('--schema takes the URL of a schema.');
  }
  const folder = resolve(positionals[0] ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${folder} is no folder.`);
  const { stdin } = process;
  await upgradeFolder({
    ...{ folder, codemods, output, json },
    settings: { schema },
    mode: check ? 'check' : yes ? 'write' : 'ask',
    ask: stdin.isTTY && !json ? (question) => askYes(question, stdin, (text) => process.stderr.write(text)) : undefined,
    paint: process.stdout.isTTY ? (colour, text) => styleText(colour, text, { stream: process.stdout }) : plain,
  });
}
