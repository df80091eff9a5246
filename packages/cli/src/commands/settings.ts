import { configuration, dataFlags, openStores, UsageError } from '@gantry/server';
import {
  isSettingName,
  readSettings,
  type SettingName,
  settingNames,
  settingRule,
  writeSetting,
} from '@gantry/service';
import { type Command, withFlags } from '../command.ts';
import { table } from '../terminal/output.ts';
import { withStores } from '../with-stores.ts';

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
  run: withFlags(
    { options: { ...dataFlags, json: { type: 'boolean' } }, verbs: ['list', 'get', 'set'] },
    async ({ values, positionals, env, print }) => {
      const [action = '', name, value] = positionals;
      const shape = shapes.get(action);
      if (!shape) throw new UsageError('gantry settings takes list, get or set. See gantry settings --help.');
      if (positionals.length !== shape.words) throw new UsageError(shape.problem);
      const setting = name === undefined ? undefined : settingName(name);
      await withStores(openStores(configuration(values, env)), async ({ db }) => {
        if (setting !== undefined && value !== undefined) await writeSetting(db, setting, value);
        const settings = await readSettings(db);
        if (setting === undefined) {
          const rows = settingNames.map((one) => [one, String(settings[one]), settingRule(one)]);
          return print(settings, table(['name', 'value', 'values'], rows, ''));
        }
        const now = settings[setting];
        print({ [setting]: now }, value === undefined ? String(now) : `${setting} is now ${now}.`);
      });
    },
  ),
};

/** Number of words of each action. */
const shapes: ReadonlyMap<string, { readonly words: number; readonly problem: string }> = new Map([
  ['list', { words: 1, problem: 'gantry settings list takes no name: gantry settings get NAME shows one.' }],
  ['get', { words: 2, problem: 'gantry settings get takes one name. See gantry settings --help.' }],
  ['set', { words: 3, problem: 'gantry settings set takes a name and a value; put a value with spaces in quotes.' }],
]);

function settingName(text: string): SettingName {
  if (!isSettingName(text))
    throw new UsageError(`There is no setting ${text}: the settings are ${settingNames.join(', ')}.`);
  return text;
}
