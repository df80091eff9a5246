import { createRedaction, secretTexts, secretVariables, UsageError, withEnvironmentFile } from '@gantry/server';
import { release, SocialError } from '@gantry/wire';
import { closest } from '@gantry/wire/runtime';
import type { Run } from './command.ts';
import { commands } from './commands/commands.ts';
import { ClosedOutput } from './terminal/line-output.ts';
import { NotWritten, type Output } from './terminal/output.ts';

const help = `Gantry hosts other people's apps safely and gives them the site's people, activities, AppData and albums.

Usage: gantry COMMAND [options]
       gantry help COMMAND
       gantry --version

${commands.map(({ name, summary }) => `  ${name.padEnd(10)}  ${summary}`).join('\n')}

Every command takes:
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database WHERE  SQLite file, or postgres://user@host/database (GANTRY_DATABASE, default gantry.db in the data folder).
                    Put a password into GANTRY_DATABASE or PGPASSWORD: every user of the machine can read flags.
                    Without either and without gantry.db, a postgres:// address in DATABASE_URL counts. If it is a pooler's,
                    GANTRY_DATABASE_DIRECT names the server itself, through which processes wake each other.
  --help            Help on a command

GANTRY_ENV_FILE names a file with any of the variables, NAME=value a line: docs/guides/deployment.md.
A secret can have a file of its own, which NAME_FILE names. No flag takes one, and nothing prints one:
${Object.entries(secretVariables)
  .map(([name, meaning]) => `  ${name.padEnd(22)}  ${meaning}`)
  .join('\n')}

Examples:
  gantry create my-gadget
  gantry init
  gantry import world.json
  gantry consumer add --kind member --member 7
  gantry serve --port 8080
  gantry app add ./my-gadget`;

const names = commands.map(({ name }) => name);

const terminal: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  status: process.stderr.isTTY ? (text) => process.stderr.write(`\r\u001b[K${text}`) : undefined,
};

/** Runs one command line. Resolves with 0 success, 1 failure, 2 usage error, 3 nothing written. */
export async function main(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output = terminal,
): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '--version') {
    output.out(release);
    return 0;
  }
  const isHelp = ['help', '--help', '-h'].includes(name);
  const [topic] = isHelp ? rest : [name];
  const command = commands.find((one) => one.name === topic);
  if (isHelp || !command || rest.includes('--help') || rest.includes('-h')) {
    if (command || !topic) output.out(command?.help ?? help);
    else output.err(`gantry has no command ${JSON.stringify(topic)}.${meant(topic, names)} See gantry --help.`);
    return command || (isHelp && !topic) ? 0 : 2;
  }
  let settings = env;
  try {
    settings = withEnvironmentFile(env);
    await command.run(rest, settings, output);
    return 0;
  } catch (error) {
    if (error instanceof ClosedOutput) return 0;
    const { message, code, stack } = error as NodeJS.ErrnoException;
    const redacted = createRedaction(secretTexts(settings));
    output.err(redacted(code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? unknownFlag(message, command.run, rest) : message));
    if (error instanceof NotWritten) return 3;
    if (error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')) return 2;
    if (!(error instanceof SocialError) && env.GANTRY_LOG === 'debug') output.err(redacted(String(stack)));
    return 1;
  }
}

/** Replaces Node's message about an unknown flag, which advises to write it as a word. */
function unknownFlag(message: string, run: Run, [verb = '']: readonly string[]): string {
  const [, flag = ''] = /'(?:-\w, )?-{1,2}([^'= ]+)/.exec(message) ?? [];
  const { flags } = run.verbs?.get(verb) ?? run;
  return `There is no flag --${flag} here.${meant(flag, flags, '--')} See --help.`;
}

function meant(word: string, words: readonly string[], prefix = ''): string {
  const nearest = closest(word, words);
  return nearest === undefined ? '' : ` Did you mean ${prefix}${nearest}?`;
}
