import { parseArgs } from 'node:util';
import { addConsumer, listConsumers, revokeConsumer } from '@gantry/service';
import { configuration, dataFlags, UsageError } from '../configuration.ts';
import { openStores } from '../create-gantry.ts';
import { type Output, table } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry consumer add|list|revoke` */
export const consumer: Command = {
  name: 'consumer',
  summary: 'Make, list and revoke OAuth consumer keys',
  help: `Usage: gantry consumer add --kind KIND [--app ID] [--member ID] [--any-member] [--json]
       gantry consumer list [--json]
       gantry consumer revoke KEY

add prints a new key and its secret. The secret is shown this once. A running server honours it at once.

  --kind app        A key of one app: --app ID. Its requests speak for members who have the app.
  --kind member     A member's own key: --member ID. Its requests speak for that member.
  --kind admin      An administrator's key; --any-member lets its 2-legged requests speak for any member.
  --json            Print the result as JSON

Examples:
  gantry consumer add --kind member --member 7
  gantry consumer add --kind app --app notes --json
  gantry consumer list
  gantry consumer revoke 4f9f0c2ad1`,
  run,
};

const options = {
  ...dataFlags,
  kind: { type: 'string' },
  app: { type: 'string' },
  member: { type: 'string' },
  'any-member': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

async function run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [action, key] = positionals;
  if (action !== 'add' && action !== 'list' && action !== 'revoke') {
    throw new UsageError('gantry consumer takes add, list or revoke. See gantry consumer --help.');
  }
  const { db, secretKey } = await openStores(configuration(values, env));
  try {
    if (action === 'add') {
      const { kind, app, member } = values;
      if (kind !== 'app' && kind !== 'member' && kind !== 'admin')
        throw new UsageError('--kind must be app, member or admin.');
      if (kind === 'app' && !app) throw new UsageError('--kind app needs --app ID.');
      if (kind === 'member' && !member) throw new UsageError('--kind member needs --member ID.');
      const made = await addConsumer(db, {
        secretKey,
        kind,
        ...(app !== undefined && { appId: app }),
        ...(member !== undefined && { memberId: member }),
        ...(values['any-member'] && { anyMember: true }),
      });
      if (values.json) return output.out(JSON.stringify({ key: made.key, secret: made.secret }));
      output.out(`key     ${made.key}\nsecret  ${made.secret}`);
      return output.err('The secret is shown this once: keep it now.');
    }
    if (action === 'revoke') {
      if (!key) throw new UsageError('gantry consumer revoke needs the key.');
      if (!(await revokeConsumer(db, key)))
        throw new UsageError(`There is no consumer with the key ${JSON.stringify(key)}.`);
      return output.out(values.json ? JSON.stringify({ revoked: key }) : `Revoked ${key}.`);
    }
    const consumers = await listConsumers(db);
    if (values.json) return output.out(JSON.stringify(consumers));
    const rows = consumers.map((one) => [
      one.key,
      one.kind,
      one.appId ?? one.memberId ?? '',
      one.container ? 'container' : '',
    ]);
    output.out(table(['key', 'kind', 'for', ''], rows, 'No consumers yet: gantry consumer add --help'));
  } finally {
    await db.close();
  }
}
