import cluster from 'node:cluster';
import { configuration, handedConnections, runUntilStopped, runWorkers, siteFlags, UsageError } from '@gantry/server';
import { type Command, withFlags } from '../command.ts';

const options = { ...siteFlags, workers: { type: 'string' } } as const;

/** `gantry serve`: the API, the proxy and the account's pages, for a site in any language. */
export const serve: Command = {
  name: 'serve',
  summary: 'Run the API, the app proxy and the account pages on one port',
  help: `Usage: gantry serve [options]

Runs until it is stopped, and finishes accepted requests.

  --port N          Port (PORT, default 4400; 0 lets the system choose)
  --host NAME       Address to listen on (GANTRY_HOST, default 127.0.0.1, so only this machine)
  --socket PATH     Unix socket instead of port and host, for a reverse proxy (GANTRY_SOCKET); needs --url
  --url URL         Public address, part of signatures and links (GANTRY_URL, default http://localhost:PORT)
  --apps-host HOST  Origin of app documents (GANTRY_APPS_HOST). Absent: the site's own host, where the sandbox makes apps'
                    origins opaque. sandbox.example gives all apps one origin, *.apps.example gives each its own.
  --trust-proxy LIST  Addresses or ranges of reverse proxies whose X-Forwarded-For and X-Request-Id are believed
                    (GANTRY_TRUSTED_PROXIES)
  --grace SECONDS   Time after SIGTERM in which /readyz fails but requests are accepted (GANTRY_GRACE, default 0)
  --sign-in-url URL The site's own sign-in page; used with GANTRY_VIEWER_KEY (GANTRY_SIGN_IN_URL)
  --workers N       Processes that share the port (GANTRY_WORKERS; absent: this one alone). One that dies is replaced, and
                    SIGHUP replaces all in turn by the installed release without losing a request.
  --replica WHERE   A standby of the PostgreSQL, which may answer reads of the API; repeatable (GANTRY_REPLICAS, separated by
                    spaces)
  --bucket WHERE    s3://name: keep photos and the files of apps there (GANTRY_BUCKET). Needs npm install @aws-sdk/client-s3;
                    see docs/guides/bucket.md.
  --data, --database, --help

Members sign in at /account/sign-in with id and password: gantry admin add, or passwords in the world file. With
GANTRY_VIEWER_KEY (32 bytes or more) the site's own pages name the signed-in member: docs/guides/site-owner.md.

Logs are JSON lines on standard error; GANTRY_LOG is their level (default warn; info has a line for each request).
/metrics is for Prometheus. It needs GANTRY_METRICS_TOKEN; without one only this machine may read it, and only if the
site's address is local. See docs/guides/operations.md.

Examples:
  gantry serve
  gantry serve --host 0.0.0.0 --url https://social.example
  gantry serve --socket /run/gantry/gantry.sock --url https://social.example
  gantry serve --workers 4 --database postgres://gantry@db.example/gantry
  gantry serve --apps-host '*.apps.localhost:4400'`,
  run: withFlags({ options, allowPositionals: false }, async ({ values, env, output: { out, err } }) => {
    const setup = configuration(values, env);
    const workers = values.workers ?? (env.GANTRY_WORKERS || undefined);
    const count = workers === undefined ? 0 : workerCount(workers);
    if (cluster.isWorker) {
      const work = runUntilStopped({ configuration: setup, handed: handedConnections(env) });
      return work.finally(() => cluster.worker?.disconnect()); // the channel would keep the process alive
    }
    if (count === 0) return runUntilStopped({ configuration: setup });
    const { port, host, path, socket } = setup;
    const code = await runWorkers({ count, port, host, path, socket, say: out, warn: err });
    if (code !== 0) process.exit(code); // the worker printed the error
  }),
};

function workerCount(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 64) return Number(text);
  throw new UsageError(`--workers (GANTRY_WORKERS) must be a number from 1 to 64, not "${text}".`);
}
