import { UsageError } from '@gantry/server';
import { askYes } from '../terminal/ask-yes.ts';
import { codemods } from '../upgrade/codemods.ts';
import { upgradeFolder } from '../upgrade/upgrade-folder.ts';
import { type Command, onlyFolder, withFlags } from './command.ts';

const options = {
  schema: { type: 'string' },
  yes: { type: 'boolean' },
  check: { type: 'boolean' },
  json: { type: 'boolean', default: false },
} as const;

/** `gantry upgrade` */
export const upgrade: Command = {
  name: 'upgrade',
  summary: 'Upgrade a gadget to this version: show the changes, ask, write them',
  help: `Usage: gantry upgrade [FOLDER] [--schema URL] [--yes | --check] [--json]

Runs codemods on the folder of one gadget or several: shows all changes as one diff, asks once, and writes all or nothing.
Formatting stays. It lists what you have to change by hand. A second run changes nothing.

${codemods.map(({ name, summary }) => `  ${name.padEnd(16)}${summary}`).join('\n')}

  FOLDER        The gadget's folder (default: this one)
  --schema URL  Schema for gadget.json, if no @gantry/cli is installed that contains it
  --yes         Write without asking
  --check       Write nothing, and exit with 1 if there is something to change
  --json        Print one object: changes, codemods, problems, written
  --help

Exit codes:
  0  written, or nothing to do
  1  --check found something to change, or something has to be changed by hand
  2  usage error
  3  the changes were shown and not written: no terminal and no --yes, or the answer was no

Examples:
  gantry upgrade
  gantry upgrade ./my-gadget --yes
  gantry upgrade --check --json`,
  run: withFlags({ options }, async ({ values, positionals, output }) => {
    const { schema, yes, check, json } = values;
    const folder = onlyFolder(positionals, 'upgrade');
    if (yes && check) throw new UsageError('Use either --yes or --check.');
    if (schema !== undefined && !/^https?:\/\/[^\s"\\]+$/.test(schema)) {
      throw new UsageError('--schema takes the URL of a schema.');
    }
    await upgradeFolder({
      ...{ folder, codemods, output, json },
      settings: { schema },
      mode: check ? 'check' : yes ? 'write' : 'ask',
      ask: process.stdin.isTTY && !json ? askYes : undefined,
    });
  }),
};
