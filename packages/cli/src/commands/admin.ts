import { configuration, dataFlags, openStores, UsageError } from '@gantry/server';
import {
  createPasswords,
  importWorld,
  listAdministrators,
  memberExists,
  passwordProblem,
  setAdministrator,
  setPassword,
} from '@gantry/service';
import { nameProblem } from '@gantry/wire';
import { type Command, withFlags } from '../command.ts';
import { table } from '../terminal/output.ts';
import { askHidden, readPiped } from '../terminal/read-secret.ts';
import { withStores } from '../with-stores.ts';

const options = {
  ...dataFlags,
  member: { type: 'string' },
  name: { type: 'string' },
  'password-stdin': { type: 'boolean', default: false },
  'no-password': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export const admin: Command = {
  name: 'admin',
  summary: 'Name the administrators of the site, and set their passwords',
  help: `Usage: gantry admin add --member ID [--name NAME] [--password-stdin | --no-password] [--json]
       gantry admin list [--json]
       gantry admin remove ID

add makes a member an administrator, who may authorize programs for every member. It asks for a password for signing in
at /account/sign-in; an earlier password is replaced, and the member is signed out everywhere.
remove takes the role away. The member keeps all data.

  --member ID       The member; created with --name if there is none
  --name NAME       Display name of a new member
  --password-stdin  Read the password from standard input instead of asking for it
  --no-password     Set no password, for a site with its own sign-in
  --json            Print the result as JSON

Examples:
  gantry admin add --member 1
  gantry admin add --member root --name 'Harbour master'
  gantry admin add --member 1 --password-stdin < password.txt
  gantry admin list
  gantry admin remove 1`,
  run: withFlags(
    { options, verbs: ['add', 'list', 'remove'] },
    async ({ values, positionals: [action, subject = values.member], env, print }) => {
      if (action !== 'add' && action !== 'list' && action !== 'remove') {
        throw new UsageError('gantry admin takes add, list or remove. See gantry admin --help.');
      }
      const memberId = subject ?? '';
      if (action !== 'list' && memberId === '')
        throw new UsageError(`gantry admin ${action} needs the id of a member.`);
      await withStores(openStores(configuration(values, env)), async (stores) => {
        const { db } = stores;
        if (action === 'add') {
          const isNew = !(await memberExists(db, memberId));
          if (isNew && !values.name)
            throw new UsageError(`${unknown(memberId).message} To create one, add --name NAME.`);
          const password = values['no-password'] ? undefined : await readPassword(values['password-stdin']);
          const problem = isNew && values.name ? nameProblem(values.name) : undefined;
          if (problem !== undefined) throw new UsageError(`The name ${problem}.`);
          const members = [{ id: memberId, displayName: values.name }];
          if (isNew) await importWorld(db, { members }, { ...stores, folder: '.' });
          if (password !== undefined) await setPassword(db, { memberId, password, passwords: createPasswords() });
          await setAdministrator(db, memberId, true);
          return print({ added: memberId }, `${memberId} is an administrator.`);
        }
        if (action === 'remove') {
          if (!(await setAdministrator(db, memberId, false))) throw unknown(memberId);
          return print({ removed: memberId }, `${memberId} is no longer an administrator.`);
        }
        const all = await listAdministrators(db);
        const rows = all.map(({ id, displayName, hasPassword }) => [id, displayName, hasPassword ? 'yes' : 'no']);
        print(all, table(['id', 'name', 'password'], rows, 'No administrators yet: gantry admin add --help'));
      });
    },
  ),
};

function unknown(id: string): UsageError {
  return new UsageError(`There is no member ${JSON.stringify(id)}.`);
}

async function readPassword(isPiped: boolean): Promise<string> {
  const password = isPiped ? await readPiped(process.stdin) : await askHidden('Password: ');
  const problem = passwordProblem(password);
  if (problem !== undefined) throw new UsageError(problem);
  if (!isPiped && (await askHidden('Repeat the password: ')) !== password) {
    throw new UsageError('The passwords differ. Nothing was changed.');
  }
  return password;
}
