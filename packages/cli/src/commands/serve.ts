import cluster from 'node:cluster';
import { parseArgs } from 'node:util';
import { configuration, handedConnections, runServer, runWorkers, serverFlags, UsageError } from '@gantry/server';
import type { Output } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry serve`: the API, the proxy and the account's pages, for a site in any language or for none. */
export const serve: Command = {
  name: 'serve',
  summary: 'Run the API, the app proxy and the account pages on one port',
  help: `Usage: gantry serve [options]

Runs until it is stopped, and finishes what it accepted.

  --port N          Port (PORT, default 4400; 0 lets the system choose)
  --host NAME       Address to listen on (GANTRY_HOST, default 127.0.0.1, so only this machine)
  --url URL         Public address: signed, printed, part of every link (GANTRY_URL, default http://localhost:PORT)
  --apps-host HOST  Origin of app documents (GANTRY_APPS_HOST). Absent: the site's own host, kept opaque by the sandbox.
                    sandbox.example gives apps one origin, *.apps.example one for each app.
  --trust-proxy LIST  Addresses or ranges of reverse proxies whose X-Forwarded-For and X-Request-Id are believed
                    (GANTRY_TRUSTED_PROXIES)
  --grace SECONDS   After SIGTERM, how long /readyz says no while requests are still accepted (GANTRY_GRACE, default 0)
  --sign-in-url URL Where the site's own sign-in is; used with GANTRY_VIEWER_KEY (GANTRY_SIGN_IN_URL)
  --workers N       Processes that share the port (GANTRY_WORKERS; absent: this one alone). One that dies is replaced, and
                    SIGHUP replaces all of them in turn, without a lost request, by what is installed then.
  --data, --database, --help

Members sign in at /account/sign-in with id and password: gantry admin add, or passwords in the world file. With
GANTRY_VIEWER_KEY (32 bytes or more) the site's own pages say who is signed in: docs/guides/site-owner.md.

Logs are JSON lines on standard error; GANTRY_LOG is their level (default warn; info has a line for each request).
/metrics is for Prometheus: with GANTRY_METRICS_TOKEN set, for whoever sends it; otherwise for this machine, and only
while the site's address is local too. docs/guides/operations.md says more.

Examples:
  gantry serve
  gantry serve --host 0.0.0.0 --url https://social.example
  gantry serve --workers 4 --database postgres://gantry@db.example/gantry
  gantry serve --apps-host '*.apps.localhost:4400'`,
  run,
};

async function run(args: readonly string[], env: NodeJS.ProcessEnv, { out, err }: Output): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { ...serverFlags, workers: { type: 'string' } } });
  const setup = configuration(values, env);
  const wanted = values.workers ?? (env.GANTRY_WORKERS || undefined);
  const count = wanted === undefined ? 0 : workerCount(wanted);
  if (cluster.isWorker) {
    const work = runServer({ configuration: setup, handed: handedConnections(env) });
    return work.finally(() => cluster.worker?.disconnect()); // which alone would keep it
  }
  if (count === 0) return runServer({ configuration: setup });
  const { port, host, socket } = setup;
  const code = await runWorkers({ count, port, host, socket, say: out, warn: err });
  if (code !== 0) process.exit(code); // what is wrong was said by the worker
}

function workerCount(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 64) return Number(text);
  throw new UsageError(`--workers (GANTRY_WORKERS) must be a number from 1 to 64, not "${text}".`);
}
