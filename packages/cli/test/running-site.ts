import * as servers from '../../server/test/running-site.ts';
import { type CommandRun, runCommand } from './run-command.ts';

/** A server, and the command on its data folder. */
export interface RunningSite extends servers.RunningSite {
  /** Runs one command line of `gantry` on the same folder. */
  gantry(...args: string[]): Promise<CommandRun>;
}

/** Runs one command line of `gantry` on a data folder. */
export function gantry(data: string, ...args: string[]): Promise<CommandRun> {
  return runCommand(args, { GANTRY_DATA: data });
}

/** Runs a server of the package `server`'s tests, with the command. */
export async function runSite(...options: Parameters<typeof servers.runSite>): Promise<RunningSite> {
  const site = await servers.runSite(...options);
  return { ...site, gantry: (...words) => gantry(site.data, ...words) };
}
