import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { addApp, createGantry, toNodeListener } from '@gantry/server';
import next from 'next';
import { dataFolder, url } from './site/address.ts';
import { closeDatabase } from './site/database.ts';
import { memberRecords, prepareMembers } from './site/members.ts';
import { memberOf, sessionCookie } from './site/sessions.ts';

// Gantry needs the raw target of a request, which Next rewrites. So this server stands before both.
const dev = process.argv.includes('--dev');
await prepareMembers();

const gantry = await createGantry({
  data: join(dataFolder, 'gantry'),
  url,
  viewer: (request) => memberOf(cookieOf(request, sessionCookie))?.id,
  signInUrl: '/sign-in',
});
// Tell it about members at the start, and whenever one of them changes.
await gantry.saveRecords(memberRecords());
for (const id of ['friends', 'notes']) {
  await addApp(gantry.stores, { id, folder: join(import.meta.dirname, 'gadgets', id), mode: 'update' });
}

const port = Number(process.env.PORT ?? 3000);
const app = next({ dev, dir: import.meta.dirname, port });
const handle = app.getRequestHandler();
const toGantry = toNodeListener(gantry);

// Next takes the upgrades of this server by itself, for its hot reload.
const server = createServer((incoming, outgoing) => {
  toGantry(incoming, outgoing, () => {
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
  process.exit(); // what watches files in development would keep it running
});

/** A form of another site would act for the member who is signed in here. */
function isForged({ method, headers }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD' && headers.origin !== url;
}

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(/; */).map((pair) => pair.split('='));
  return pairs.find(([key]) => key === name)?.[1];
}
