import { parseArgs } from 'node:util';
import { configuration, serverFlags } from '../configuration.ts';
import { runServer } from '../run-server.ts';

/** `gantry serve`: the API for OAuth clients. A site that shows gadgets mounts `createGantry` with its own `viewer`. */
export async function serveCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: serverFlags });
  await runServer({ configuration: configuration(values, env), viewer: async () => undefined });
}
