import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DevServer, eventsVersion, line, startDevServer, tellRun } from '@gantry/dev';
import { manifestPath } from '@gantry/lab/host';
import { UsageError } from '@gantry/server';
import { terminalText } from '@gantry/wire/runtime';
import { openInBrowser } from '../browser/open-in-browser.ts';
import { startBrowser } from '../browser/start-browser.ts';
import { type Command, type ValuesOf, withFlags } from '../command.ts';
import { paint } from '../project/show-diff.ts';
import { untilStopped } from '../terminal/until-stopped.ts';

const options = {
  port: { type: 'string' },
  open: { type: 'boolean', default: false },
  world: { type: 'string' },
  persona: { type: 'string' },
  keep: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  browser: { type: 'boolean', default: false },
  poll: { type: 'boolean', default: false },
} as const;

/** `gantry dev`: a gadget under development, in a page with a site around it. */
export const dev: Command = {
  name: 'dev',
  summary: 'Develop gadgets: a page with a site around them, without registration',
  help: `Usage: gantry dev [FOLDER|URL …] [options]

Shows gadgets in a page with a site and its data around them, reloads when you save, and explains each problem and its
remedy. FOLDER has a gadget.json (default: this folder). URL is that of an app's own development server.

  --port N       Port on 127.0.0.1 (default 4500, or the next that is free; 0 lets the system choose)
  --open         Opens the page in your browser
  --world NAME   friendly, empty, crowd or hostile, or the path of a world file (docs/world-file.md)
  --persona ID   The signed-in member; nobody for a visitor who is signed out
  --keep DIR     Keeps the data in a folder; without it they are deleted at the end
  --quiet        Problems only: no console output of gadgets
  --json         One event a line, for programs (below)
  --browser      Opens the page in a headless Chromium, with the project's Playwright; GANTRY_CHROMIUM names another
  --poll         Compares files every 0.1 s: for container mounts and network folders, which report no changes
  --help

Examples:
  gantry dev
  gantry dev ./my-gadget --open
  gantry dev ./friends ./stream --world crowd --persona m-7
  gantry dev http://localhost:5173
  gantry dev --json --browser

With --json each line is an object with "event":
  ready     version, url, apps, browser: whether a page is open, hint
  problem   app, id (stable), what, cure, example (the line to write), where (file, line, column, text)
  repeated  the same problem, with count: how often it occurred
  resolved  the same problem is over
  load      app, what: start, ready, update, reload, end or failed
  call      app, call, operation, params
  reply     app, call, tookMs, size
  refusal   app, call, error (code, message, data)
  console   app, level, text, where
  build, manifest   app, ok; manifest has asks: permissions that members will be asked for
  left-out  app, count: events left out because there were too many
  end       the run is over
It ends with SIGTERM, SIGINT, or the end of piped input. Exit code 2: usage error.`,
  run: withFlags({ options }, async ({ values, positionals, env, output: { out, err } }) => {
    const { json, quiet, keep } = values;
    const folders = positionals.length > 0 ? positionals : ['.'];
    const port = values.port === undefined ? undefined : portOf(values.port);
    for (const folder of folders) checkFolder(folder);

    const server = await startDevServer({
      folders,
      poll: values.poll,
      ...(port !== undefined && { port }),
      ...(keep !== undefined && { keep: resolve(keep) }),
    });
    for (const notice of server.notices) err(notice);
    let browser: Awaited<ReturnType<typeof startBrowser>> | undefined;
    let stopReport = (): void => {};
    const stopped = untilStopped({ withInput: json });
    try {
      const url = await addressOf(server, values);
      const isColoured = paint('bold', '') !== ''; // heeds NO_COLOR and FORCE_COLOR
      if (values.browser) browser = await startBrowser(folders[0] ?? '.', env);
      if (json) {
        const hint =
          'Open the url in a browser, or start with --browser: until then only gadget.json and builds are checked.';
        const apps = server.apps.map(({ id, folder, url }) => ({ id, folder, url }));
        out(line({ event: 'ready', version: eventsVersion, url, apps, browser: !!browser, ...(!browser && { hint }) }));
      } else out(`Gantry dev ready at ${url}`);
      stopReport = tellRun({
        ...{ record: server.record, explain: server.createExplainer(), write: out },
        ...{ as: json ? 'json' : 'text', isColoured, isQuiet: quiet },
      });
      if (browser) await (await browser.newPage()).goto(url);
      if (values.open && !(await openInBrowser(url))) err(`No browser could be opened. Open ${url} yourself.`);
      const gone = Promise.withResolvers<void>();
      browser?.on('disconnected', () => gone.resolve());
      await Promise.race([stopped, gone.promise]);
    } finally {
      stopReport();
      await browser?.close();
      await server.close();
    }
    if (json) out(line({ event: 'end' }));
  }),
};

/** Parses a port number. @throws UsageError for other text. */
export function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--port takes a number from 0 to 65535, not ${terminalText(text, 40)}.`);
  return port;
}

/** Checks that a folder is an app's. @throws UsageError if it has no `gadget.json`. */
export function checkFolder(folder: string): void {
  if (/^https?:\/\//i.test(folder)) return;
  const name = terminalText(resolve(folder), 200);
  const entry = statSync(folder, { throwIfNoEntry: false });
  if (entry === undefined)
    throw new UsageError(`There is no folder ${name}. Name the one that has the app's gadget.json.`);
  if (!entry.isDirectory()) throw new UsageError(`${name} is a file. Name the folder that it is in.`);
  if (!existsSync(manifestPath(folder))) {
    throw new UsageError(
      `There is no gadget.json in ${name}. Create a gadget with gantry create, or write one: { "name": "My gadget", "page": "index.html", "uses": [] }`,
    );
  }
}

/** Returns the page's URL in the state that flags name. @throws UsageError for unknown names. */
async function addressOf(server: DevServer, { world, persona }: ValuesOf<typeof options>): Promise<string> {
  if (world === undefined && persona === undefined) return server.url;
  const isFile = world !== undefined && /[/\\]|\.(json|jsonl|ndjson)$/i.test(world);
  const scenario = {
    ...(world !== undefined && { world: isFile ? resolve(world) : world }),
    ...(persona !== undefined && { persona }),
  };
  const response = await fetch(`${server.url}/dev/labs`, { method: 'POST', body: JSON.stringify({ scenario }) });
  const answer = (await response.json()) as { error?: { message: string } };
  if (!response.ok)
    throw new UsageError(terminalText(answer.error?.message ?? 'There is no such world or member.', 1_000));
  return `${server.url}/?${new URLSearchParams(scenario)}`;
}
