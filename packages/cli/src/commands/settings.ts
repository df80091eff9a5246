import { parseArgs } from 'node:util';
import { configuration, dataFlags, openStores, UsageError } from '@gantry/server';
import {
  isSettingName,
  readSettings,
  type SettingName,
  settingNames,
  settingRule,
  writeSetting,
} from '@gantry/service';
import { type Output, table } from '../terminal/output.ts';
import type { Command } from './command.ts';

/** `gantry settings list|get|set` */
export const settings: Command = {
  name: 'settings',
  summary: 'Show and change settings while the site runs',
  help: `Usage: gantry settings list [--json]
       gantry settings get NAME [--json]
       gantry settings set NAME VALUE [--json]

A change takes effect with the next request, in every running server of the site.

${settingNames.map((name) => `  ${name.padEnd(16)}  ${settingRule(name)}`).join('\n')}

  --json            Print the result as JSON

Examples:
  gantry settings list
  gantry settings get timeZone
  gantry settings set minimumInterval 60
  gantry settings set albums false`,
  run,
};

const options = { ...dataFlags, json: { type: 'boolean' } } as const;

async function run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [action, name, value, ...more] = positionals;
  const expected = { list: 1, get: 2, set: 3 }[action ?? ''];
  if (expected === undefined) {
    throw new UsageError('gantry settings takes list, get or set. See gantry settings --help.');
  }
  if (positionals.length !== expected || more.length > 0) throw new UsageError(shapes[action as keyof typeof shapes]);
  const wanted = name === undefined ? undefined : settingName(name);
  const { db } = await openStores(configuration(values, env));
  try {
    if (wanted !== undefined && value !== undefined) await writeSetting(db, wanted, value);
    const settings = await readSettings(db);
    if (wanted === undefined) {
      if (values.json) return output.out(JSON.stringify(settings));
      const rows = settingNames.map((one) => [one, String(settings[one]), settingRule(one)]);
      return output.out(table(['name', 'value', 'values'], rows, ''));
    }
    if (values.json) return output.out(JSON.stringify({ [wanted]: settings[wanted] }));
    output.out(value === undefined ? String(settings[wanted]) : `${wanted} is now ${settings[wanted]}.`);
  } finally {
    await db.close();
  }
}

const shapes = {
  list: 'gantry settings list takes no name: gantry settings get NAME shows one.',
  get: 'gantry settings get takes one name. See gantry settings --help.',
  set: 'gantry settings set takes a name and a value; put a value with spaces in quotes.',
};

function settingName(text: string): SettingName {
  if (!isSettingName(text))
    throw new UsageError(`There is no setting ${text}: the settings are ${settingNames.join(', ')}.`);
  return text;
}
