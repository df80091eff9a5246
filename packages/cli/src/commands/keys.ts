import { configuration, dataFlags, rotateTokenKeys, UsageError } from '@gantry/server';
import { type Command, withFlags } from './command.ts';

/** `gantry keys rotate` */
export const keys: Command = {
  name: 'keys',
  summary: 'Rotate the key that signs gadget tokens',
  help: `Usage: gantry keys rotate [--json]

Creates a new key for the tokens that pages hold for their gadgets, and keeps the old ones for an hour. Running servers
use it within seconds; open pages continue. Consumer secrets are encrypted with another key, which stays.

  --json            Print the result as JSON
  --data DIR        Data folder (GANTRY_DATA, default .gantry)

Examples:
  gantry keys rotate
  gantry keys rotate --data /var/lib/gantry`,
  run: withFlags(
    { options: { ...dataFlags, json: { type: 'boolean' } }, verbs: ['rotate'] },
    async ({ values, positionals, env, print }) => {
      if (positionals.length !== 1 || positionals[0] !== 'rotate') {
        throw new UsageError('gantry keys takes rotate. See gantry keys --help.');
      }
      const [id, ...kept] = rotateTokenKeys(configuration(values, env).data, Date.now());
      const older = kept.length === 0 ? '' : ` Tokens of ${kept.join(', ')} are valid until they expire.`;
      print({ id, kept }, `Key ${id} signs gadget tokens from now on.${older}`);
    },
  ),
};
