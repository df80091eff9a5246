import { parseArgs } from 'node:util';
import { configuration, serverFlags } from '../configuration.ts';
import { runServer } from '../run-server.ts';
import type { Command } from './command.ts';

/** `gantry serve`: the API for OAuth clients. A site that shows gadgets mounts `createGantry` with its own `viewer`. */
export const serve: Command = {
  name: 'serve',
  summary: 'Run the Social REST API and the app proxy on one port',
  help: `Usage: gantry serve [options]

Runs until it is stopped, and finishes what it accepted.

  --port N          Port (PORT, default 4400; 0 lets the system choose)
  --host NAME       Address to listen on (GANTRY_HOST, default 127.0.0.1, so only this machine)
  --url URL         Public address: signed, printed, part of every link (GANTRY_URL, default http://localhost:PORT)
  --apps-host HOST  Origin of app documents (GANTRY_APPS_HOST). Absent: the site's own host, kept opaque by the sandbox.
                    sandbox.example gives apps one origin, *.apps.example one for each app.
  --data, --database, --help

Logs are JSON lines on standard error; GANTRY_LOG is their level (default warn).

Examples:
  gantry serve
  gantry serve --host 0.0.0.0 --url https://social.example
  gantry serve --apps-host '*.apps.localhost:4400'`,
  run,
};

async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: serverFlags });
  await runServer({ configuration: configuration(values, env), viewer: async () => undefined });
}
