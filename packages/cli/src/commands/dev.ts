import { parseArgs } from 'node:util';
import { startDevServer } from '@gantry/dev';
import type { Output } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry dev`: a gadget under development, in a page with a site around it. */
export const dev: Command = {
  name: 'dev',
  summary: 'Develop gadgets: a page with a site around them, without registration',
  help: `Usage: gantry dev [FOLDER …] [options]

  --port N   Port (default 4500; 0 lets the system choose)
  --help

Examples:
  gantry dev
  gantry dev ./my-gadget`,
  run,
};

async function run(args: readonly string[], _env: NodeJS.ProcessEnv, { out }: Output): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { port: { type: 'string' } },
  });
  const server = await startDevServer({
    folders: positionals.length > 0 ? positionals : ['.'],
    ...(values.port !== undefined && { port: Number(values.port) }),
  });
  for (const notice of server.notices) out(notice);
  out(`Gantry dev ready at ${server.url}`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await server.close();
}
