import { cpSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { addApp, createGantry, toNodeListener } from '@gantry/server';
import next from 'next';
import { dataFolder, url } from './site/address.ts';
import { closeDatabase } from './site/database.ts';
import { memberRecords, prepareMembers } from './site/members.ts';
import { memberOf, sessionCookie } from './site/sessions.ts';

// Gantry needs the raw target of a request, which Next rewrites. So this server precedes both.
const dev = process.argv.includes('--dev');
await prepareMembers();

const gantry = await createGantry({
  data: join(dataFolder, 'gantry'),
  url,
  viewer: (request) => memberOf(cookieOf(request, sessionCookie))?.id,
  signInUrl: '/sign-in',
});
// Saves members to Gantry at the start; repeat it whenever one of them changes.
await gantry.saveRecords(memberRecords());
// Two gadgets to begin with. They are yours: a copy that exists is left alone.
const gadgets = join(import.meta.dirname, 'gadgets');
cpSync(join(import.meta.dirname, 'node_modules/@gantry/cli/starters'), gadgets, { recursive: true, force: false });
// On this machine changed files show at the next load; a public site gets a version of them.
const live = !url.startsWith('https:');
for (const id of ['friends', 'notes']) {
  await addApp(gantry.stores, { id, folder: join(gadgets, id), live, mode: 'update' });
}

const port = Number(process.env.PORT ?? 3000);
const app = next({ dev, dir: import.meta.dirname, port });
const handle = app.getRequestHandler();
const toGantry = toNodeListener(gantry);

// Next handles this server's upgrades by itself, for its hot reload.
const server = createServer((incoming, outgoing) => {
  toGantry(incoming, outgoing, () => {
    // Never what a visitor claims. Behind a reverse proxy: the address that it passes on.
    incoming.headers['x-forwarded-for'] = incoming.socket.remoteAddress ?? '';
    if (isForged(incoming)) outgoing.writeHead(403).end('Not from this site.');
    else void handle(incoming, outgoing);
  });
});
await app.prepare();
server.listen(port, () => console.log(`Listening on ${url}`));
process.once('SIGTERM', async () => {
  server.close();
  await gantry.close();
  await app.close();
  closeDatabase();
  process.exit(); // file watchers would keep a development server running
});

/** Rejects a form of another site, which would act for the signed-in member. */
function isForged({ method, headers }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD' && headers.origin !== url;
}

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(/; */).map((pair) => pair.split('='));
  return pairs.find(([key]) => key === name)?.[1];
}
