import { configuration, dataFlags, openStores, type Stores, UsageError } from '@gantry/server';
import { addConsumer, isSignatureMethod, listConsumers, revokeConsumer, signatureMethods } from '@gantry/service';
import { type Command, type CommandLine, withFlags } from '../command.ts';
import { table } from '../terminal/output.ts';
import { withStores } from '../with-stores.ts';
import { readText } from './read-text.ts';

const options = {
  ...dataFlags,
  kind: { type: 'string' },
  app: { type: 'string' },
  member: { type: 'string' },
  'any-member': { type: 'boolean' },
  title: { type: 'string' },
  method: { type: 'string' },
  'public-key': { type: 'string' },
  'require-body-hash': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export const consumer: Command = {
  name: 'consumer',
  summary: 'Create, list and revoke OAuth consumer keys',
  help: `Usage: gantry consumer add --kind KIND [--app ID] [--member ID] [options]
       gantry consumer list [--json]
       gantry consumer revoke KEY

add prints a new key and its secret, which is shown only once. Running servers accept the key at once.

  --kind app        A key of one app: --app ID. Its requests act for members who have the app.
  --kind member     A member's own key: --member ID. Its requests act for that member.
  --kind admin      An administrator's key; with --any-member its 2-legged requests may act for any member.
  --title TEXT      Name shown to members when the key asks for access
  --method NAME     Signature method: HMAC-SHA1 (default), HMAC-SHA256 or RSA-SHA1
  --public-key FILE For RSA-SHA1, instead of a secret: PEM, 2,048 to 4,096 bits
  --require-body-hash  Refuse bodies without oauth_body_hash
  --json            Print the result as JSON

Examples:
  gantry consumer add --kind member --member 7
  gantry consumer add --kind app --app notes --json
  gantry consumer add --kind member --member 7 --title 'Photo printer' --public-key printer.pem
  gantry consumer list
  gantry consumer revoke 4f9f0c2ad1`,
  run: withFlags({ options, verbs: ['add', 'list', 'revoke'] }, async (line) => {
    const { values, positionals, env, print } = line;
    const [action, key] = positionals;
    if (action !== 'add' && action !== 'list' && action !== 'revoke') {
      throw new UsageError('gantry consumer takes add, list or revoke. See gantry consumer --help.');
    }
    await withStores(openStores(configuration(values, env)), async (stores) => {
      const { db } = stores;
      if (action === 'add') return add(stores, line);
      if (action === 'revoke') {
        if (!key) throw new UsageError('gantry consumer revoke needs the key.');
        if (!(await revokeConsumer(db, key)))
          throw new UsageError(`There is no consumer with the key ${JSON.stringify(key)}.`);
        return print({ revoked: key }, `Revoked ${key}.`);
      }
      const consumers = await listConsumers(db);
      const rows = consumers.map((one) => [
        one.key,
        one.kind,
        one.appId ?? one.memberId ?? '',
        one.method,
        one.container ? 'the site’s own' : one.title,
      ]);
      print(
        consumers,
        table(['key', 'kind', 'for', 'method', 'title'], rows, 'No consumers yet: gantry consumer add --help'),
      );
    });
  }),
};

async function add({ db, secretKey }: Stores, { values, output, print }: CommandLine<typeof options>): Promise<void> {
  const { kind, app, member, title, method, 'public-key': keyFile } = values;
  if (kind !== 'app' && kind !== 'member' && kind !== 'admin')
    throw new UsageError('--kind must be app, member or admin.');
  if (kind === 'app' && !app) throw new UsageError('--kind app needs --app ID.');
  if (kind === 'member' && !member) throw new UsageError('--kind member needs --member ID.');
  if (method !== undefined && !isSignatureMethod(method))
    throw new UsageError(`--method must be one of ${signatureMethods.join(', ')}.`);
  const { key, secret } = await addConsumer(db, {
    secretKey,
    kind,
    ...(app !== undefined && { appId: app }),
    ...(member !== undefined && { memberId: member }),
    ...(values['any-member'] && { anyMember: true }),
    ...(title !== undefined && { title }),
    ...(method !== undefined && { method }),
    ...(keyFile !== undefined && { publicKey: await readText(keyFile) }),
    ...(values['require-body-hash'] && { requireBodyHash: true }),
  });
  if (secret === '') return print({ key }, `key     ${key}`);
  print({ key, secret }, `key     ${key}\nsecret  ${secret}`);
  if (!values.json) output.err('The secret is shown only once: store it now.');
}
