import { UsageError, withEnvironmentFile } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import { admin } from './commands/admin.ts';
import { app } from './commands/app/app.ts';
import { backup } from './commands/backup.ts';
import { check } from './commands/check.ts';
import type { Command } from './commands/command.ts';
import { consumer } from './commands/consumer.ts';
import { create } from './commands/create.ts';
import { dev } from './commands/dev.ts';
import { exportSite } from './commands/export.ts';
import { generate } from './commands/generate.ts';
import { importFile } from './commands/import.ts';
import { init } from './commands/init.ts';
import { keys } from './commands/keys.ts';
import { open } from './commands/open.ts';
import { pictures } from './commands/pictures.ts';
import { proxy } from './commands/proxy.ts';
import { restoreBackup } from './commands/restore.ts';
import { serve } from './commands/serve.ts';
import { settings } from './commands/settings.ts';
import { tape } from './commands/tape/tape.ts';
import { upgrade } from './commands/upgrade.ts';
import { NotWritten } from './init/init-project.ts';
import type { Output } from './output.ts';

const commands: readonly Command[] = [
  create,
  dev,
  open,
  upgrade,
  pictures,
  tape,
  init,
  serve,
  proxy,
  check,
  importFile,
  exportSite,
  generate,
  app,
  consumer,
  keys,
  settings,
  admin,
  backup,
  restoreBackup,
];

const help = `Gantry hosts other people's apps safely and gives them the site's people, activities, AppData and albums.

Usage: gantry COMMAND [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(10)}  ${summary}`).join('\n')}

Every command takes:
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database WHERE  SQLite file, or postgres://user@host/database (GANTRY_DATABASE, default gantry.db in the data folder).
                    A password belongs into GANTRY_DATABASE or PGPASSWORD, since everybody on the machine can read flags.
  --help            Help on a command

GANTRY_ENV_FILE names a file with any of the variables, NAME=value a line: docs/guides/deployment.md.

Examples:
  gantry create my-gadget
  gantry init
  gantry import world.json
  gantry consumer add --kind member --member 7
  gantry serve --port 8080
  gantry app add ./my-gadget`;

const terminal: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  status: process.stderr.isTTY ? (text) => process.stderr.write(`\r\u001b[K${text}`) : undefined,
};

/** Runs one command line. Resolves with the exit code: 0 done, 1 refused or failed, 2 not understood, 3 shown and not written. */
export async function main(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output = terminal,
): Promise<number> {
  const [name = '', ...rest] = args;
  const command = commands.find((one) => one.name === name);
  if (!command || rest.includes('--help') || rest.includes('-h')) {
    const asked = command !== undefined || ['', 'help', '--help', '-h'].includes(name);
    if (asked) output.out(command?.help ?? help);
    else output.err(`gantry has no command ${JSON.stringify(name)}. See gantry --help.`);
    return asked && name !== '' ? 0 : 2;
  }
  try {
    await command.run(rest, withEnvironmentFile(env), output);
    return 0;
  } catch (error) {
    output.err((error as Error).message);
    if (error instanceof NotWritten) return 3;
    if (error instanceof UsageError || isParseArgsError(error)) return 2;
    if (!(error instanceof SocialError) && env.GANTRY_LOG === 'debug') output.err(String((error as Error).stack));
    return 1;
  }
}

function isParseArgsError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
