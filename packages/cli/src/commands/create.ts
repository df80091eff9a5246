import { UsageError } from '@gantry/server';
import { flags, helpOf, main } from 'create-gantry';
import type { Command, Run } from '../command.ts';

const command = 'gantry create';

/** `gantry create`: the same as `npm create gantry`. */
export const create: Command = {
  name: 'create',
  summary: 'Create a gadget in a new folder: TypeScript, React, Vue or one HTML file',
  help: helpOf(command),
  run: Object.assign(run, { flags }),
};

async function run(...[args, env, { out }]: Parameters<Run>): Promise<void> {
  const problems: string[] = [];
  const code = await main(args, env, { command, out, err: (line) => problems.push(line) });
  if (code === 0) return;
  const message = problems.join('\n') || `gantry dev ended with ${code}.`;
  throw code === 2 ? new UsageError(message) : new Error(message);
}
