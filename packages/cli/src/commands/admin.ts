import { parseArgs } from 'node:util';
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
import { askHidden, readPiped } from '../terminal/ask-password.ts';
import { type Output, table } from '../terminal/output.ts';
import type { Command } from './command.ts';

/** `gantry admin add|list|remove` */
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
  run,
};

const options = {
  ...dataFlags,
  member: { type: 'string' },
  name: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  'no-password': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

async function run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [action, subject = values.member] = positionals;
  if (action !== 'add' && action !== 'list' && action !== 'remove') {
    throw new UsageError('gantry admin takes add, list or remove. See gantry admin --help.');
  }
  if (action !== 'list' && !subject) throw new UsageError(`gantry admin ${action} needs the id of a member.`);
  const stores = await openStores(configuration(values, env));
  const { db } = stores;
  try {
    if (action === 'add') {
      const memberId = subject as string;
      const isNew = !(await memberExists(db, memberId));
      if (isNew && !values.name) throw new UsageError(`${unknown(memberId).message} To create one, add --name NAME.`);
      const password = values['no-password'] ? undefined : await readPassword(values['password-stdin'] ?? false);
      const members = [{ id: memberId, displayName: values.name }];
      if (isNew) await importWorld(db, { members }, { ...stores, folder: '.' });
      if (password !== undefined) await setPassword(db, { memberId, password, passwords: createPasswords() });
      await setAdministrator(db, memberId, true);
      return output.out(values.json ? JSON.stringify({ added: memberId }) : `${memberId} is an administrator.`);
    }
    if (action === 'remove') {
      if (!(await setAdministrator(db, subject as string, false))) throw unknown(subject as string);
      return output.out(
        values.json ? JSON.stringify({ removed: subject }) : `${subject} is no longer an administrator.`,
      );
    }
    const all = await listAdministrators(db);
    if (values.json) return output.out(JSON.stringify(all));
    const rows = all.map(({ id, displayName, hasPassword }) => [id, displayName, hasPassword ? 'yes' : 'no']);
    output.out(table(['id', 'name', 'password'], rows, 'No administrators yet: gantry admin add --help'));
  } finally {
    await db.close();
  }
}

function unknown(id: string): UsageError {
  return new UsageError(`There is no member ${JSON.stringify(id)}.`);
}

async function readPassword(isPiped: boolean): Promise<string> {
  const show = (text: string) => process.stderr.write(text);
  const password = isPiped ? await readPiped(process.stdin) : await askHidden('Password: ', process.stdin, show);
  const problem = passwordProblem(password);
  if (problem !== undefined) throw new UsageError(problem);
  if (!isPiped && (await askHidden('Repeat the password: ', process.stdin, show)) !== password) {
    throw new UsageError('The passwords differ. Nothing was changed.');
  }
  return password;
}
