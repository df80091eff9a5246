import { createHash } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { addApp, createGantry, toNodeListener } from '@gantry/server';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import session from 'express-session';
import { openMembers } from './members.js';
import { homePage, signInPage, welcomePage } from './pages.js';
import { openSessions } from './sessions.js';

const here = import.meta.dirname;
const port = Number(process.env.PORT ?? 3000);
const url = process.env.URL ?? `http://localhost:${port}`;
const data = process.env.DATA ?? join(here, 'data');

// The site's own database with members and sessions. Gantry does not read it.
mkdirSync(data, { recursive: true, mode: 0o700 });
const db = new DatabaseSync(join(data, 'site.db'));
const members = await openMembers(db);
const sessions = openSessions(db);

// Gantry stores its data in its own folder. Your `viewer` returns the signed-in member.
const gantry = await createGantry({
  data: join(data, 'gantry'),
  url,
  viewer: (_, request) => request?.session?.member,
  signInUrl: '/sign-in',
});
// Saves members to Gantry at the start; repeat it whenever one of them changes.
await gantry.saveRecords(members.records());
// Two gadgets to begin with. They are yours: a copy that exists is left alone.
cpSync(join(here, 'node_modules/@gantry/cli/starters'), join(here, 'gadgets'), { recursive: true, force: false });
// On this machine changed files show at the next load; a public site gets a version of them.
const live = !url.startsWith('https:');
for (const id of ['friends', 'notes']) {
  await addApp(gantry.stores, { id, folder: join(here, 'gadgets', id), live, mode: 'update' });
}

const app = express();
app.disable('x-powered-by');
app.set('trust proxy', process.env.TRUST_PROXY ?? false);
app.use(
  session({
    name: 'sid',
    store: sessions.store,
    secret: sessions.secret,
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: 'lax', httpOnly: true, secure: url.startsWith('https:'), maxAge: 14 * 86_400_000 },
  }),
);
// After the session, which `viewer` reads, and before everything that reads bodies or sets headers.
app.use(toNodeListener(gantry));

app.use((request, response, next) => {
  // A form of another site would act for the signed-in member.
  if (request.method !== 'GET' && request.get('origin') !== url)
    return response.status(403).send('Not from this site.');
  response.set({
    'Content-Security-Policy': policy(),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
});
app.use('/public', express.static(join(here, 'public'), { cacheControl: false }));
app.use(express.urlencoded({ extended: false, limit: '10kb' }));

app.get('/', (request, response) => {
  const member = members.find(request.session.member);
  response.send(member ? homePage(member) : welcomePage());
});

app.get('/sign-in', (request, response) => response.send(signInPage({ back: request.query.return })));

// Wrong passwords: for each network, and for each name from anywhere.
const shared = {
  windowMs: 15 * 60_000,
  skipSuccessfulRequests: true,
  handler: (request, response) =>
    response.status(429).send(signInPage({ back: request.query.return, isLimited: true })),
};
const ofNetwork = rateLimit({ ...shared, limit: 50 });
const ofName = rateLimit({
  ...shared,
  limit: 10,
  keyGenerator: ({ body }) => createHash('sha256').update(String(body?.name).toLowerCase()).digest('hex'),
});
app.post('/sign-in', ofNetwork, ofName, async (request, response, next) => {
  const { name, password } = request.body;
  const member = await members.signIn(String(name), String(password));
  if (!member) return response.status(401).send(signInPage({ back: request.query.return, isWrong: true }));
  // A new id, so that a session id from before the sign-in is worthless (session fixation).
  request.session.regenerate((error) => {
    if (error) return next(error);
    request.session.member = member.id;
    response.redirect(303, ownAddress(request.query.return));
  });
});

app.post('/sign-out', (request, response, next) => {
  request.session.destroy((error) => {
    if (error) return next(error);
    response.clearCookie('sid').redirect(303, '/');
  });
});

const server = app.listen(port, () => console.log(`Listening on ${url}`));
process.once('SIGTERM', async () => {
  server.close();
  await gantry.close();
  db.close();
});

/** Returns the address to go back to after the sign-in, if it is one of this site. */
function ownAddress(back = '/') {
  const address = URL.canParse(back, url) ? new URL(back, url) : undefined;
  return address?.origin === url ? address.href : '/'; // whole: a path of its own may begin with //
}

/** Returns what pages may load: their own files, the container, and frames of gadgets. */
function policy() {
  const scripts = ['/gantry/container.js', '/gantry/chunks/', '/public/'].map((path) => url + path);
  return `default-src 'self'; script-src ${scripts.join(' ')}; frame-src ${url}/gantry/apps/; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}
