import * as servers from '../../server/test/running-site.ts';
import { main } from '../src/index.ts';

/** A server, and the command on its data folder. */
export interface RunningSite extends servers.RunningSite {
  /** Runs one command line of `gantry` on the same folder. */
  gantry(...args: string[]): Promise<{ code: number; out: string; err: string }>;
}

/** Runs one command line of `gantry`, and resolves with its output. */
export async function gantry(data: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const output = { out: (line: string) => lines.out.push(line), err: (line: string) => lines.err.push(line) };
  const code = await main(args, { GANTRY_DATA: data }, output);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

/** Runs a server of the package `server`'s tests, with the command. */
export async function runSite(...options: Parameters<typeof servers.runSite>): Promise<RunningSite> {
  const site = await servers.runSite(...options);
  return { ...site, gantry: (...words) => gantry(site.data, ...words) };
}
