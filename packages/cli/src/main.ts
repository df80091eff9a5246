import { SocialError } from '@gantry/wire';
import { appCommand } from './commands/app.ts';
import { consumerCommand } from './commands/consumer.ts';
import { help } from './commands/help.ts';
import { importCommand } from './commands/import.ts';
import { serveCommand } from './commands/serve.ts';
import { UsageError } from './configuration.ts';
import type { Output } from './output.ts';

type Command = (args: readonly string[], env: NodeJS.ProcessEnv, output: Output) => Promise<void>;

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['serve', serveCommand],
  ['import', importCommand],
  ['app', appCommand],
  ['consumer', consumerCommand],
]);

const terminal: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

/** Runs one command line. Answers the exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function main(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output = terminal,
): Promise<number> {
  const [name = '', ...rest] = args;
  const command = commands.get(name);
  if (!command || rest.includes('--help') || rest.includes('-h')) {
    const asked = command !== undefined || ['', 'help', '--help', '-h'].includes(name);
    if (asked) output.out(help[command ? name : ''] as string);
    else output.err(`gantry has no command ${JSON.stringify(name)}. See gantry --help.`);
    return asked && name !== '' ? 0 : 2;
  }
  try {
    await command(rest, env, output);
    return 0;
  } catch (error) {
    output.err((error as Error).message);
    if (error instanceof UsageError || isParseArgsError(error)) return 2;
    if (!(error instanceof SocialError) && env.GANTRY_LOG === 'debug') output.err(String((error as Error).stack));
    return 1;
  }
}

function isParseArgsError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
