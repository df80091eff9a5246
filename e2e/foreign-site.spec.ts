import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { gantry, type Process, start } from '../packages/cli/test/real-site.ts';
import { type ForeignSite, openForeignSite } from '../packages/proxy/test/foreign-site.ts';
import { consumerOf } from '../packages/proxy/test/site.ts';
import { viewerKey, viewerToken } from '../packages/server/test/viewer-token.ts';
import { isDrawn } from './hosted.ts';

// A site in another language: its own pages sign members in, and its reverse proxy forwards
// /gantry/ to `gantry proxy`.
const app = `<!doctype html><html lang="en"><title>Board</title>
  <p id="me"></p><ul id="friends"></ul><p id="data"></p><p id="status"></p><img id="photo" alt=""><img id="other" alt="">
  <button id="save">Save</button><button id="post">Post</button><button id="later">Post later</button>
  <button id="unknown">Unknown</button><button id="rude">Rude</button>
  <script src="/gantry/osapi.js"></script>
  <script>
    const show = (where) => (result) => { where.textContent = JSON.stringify(result.error ?? result); };
    const say = (result) => { status.innerHTML = result.error ? result.error.message : 'done'; };
    const readData = () => osapi.appdata.get({}).execute(show(data));
    const status = document.getElementById('status');
    osapi.people.getViewer().execute((person) => {
      me.textContent = person.displayName;
      photo.src = person.thumbnailUrl;
      other.src = person.thumbnailUrl.replace('127.0.0.1', 'localhost');
    });
    osapi.people.getViewerFriends().execute(({ list, totalResults }) => { friends.textContent = totalResults + ': ' + list.map(({ id }) => id); });
    readData();
    const newPost = () => ({ activity: { title: 'Low tide' } });
    save.onclick = () => osapi.appdata.update({ data: { tide: 'low' } }).execute(readData);
    post.onclick = () => osapi.activities.create(newPost()).execute((result) => {
      status.textContent = result.error ? result.error.data.reason + ' ' + result.error.data.retryAfter : 'posted';
    });
    later.onclick = () => osapi.activities.create(newPost(), { write: { queue: true } }).execute(say);
    unknown.onclick = () => osapi.people.get({ userId: 'unknown' }).execute(say);
    rude.onclick = () => osapi.people.get({ userId: 'rude' }).execute(say);
  </script>`;
const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

let folder: string;
let foreign: ForeignSite;
let proxy: Process;
let url: string;
const servers: Server[] = [];
/** Headers and parts of bodies that the reverse proxy sent to browsers. */
const passed: Buffer[] = [];

async function open(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown): Promise<number> {
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function answerPage(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (incoming.url?.startsWith('/gantry/')) return passOn(incoming, outgoing);
  outgoing
    .writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Set-Cookie': `gantry_viewer=${viewerToken('7', url)}; Path=/; Max-Age=300; HttpOnly; SameSite=Lax`,
    })
    .end(`<!doctype html><html lang="en"><title>Tern Quay</title><script type="module" src="/gantry/container.js"></script>
      <h1>Tern Quay</h1><gantry-gadget app="friends"></gantry-gadget>`);
}

/**
 * Forwards like a reverse proxy: keeps `Host`, and compresses nothing so that tests can read it.
 */
function passOn(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { 'accept-encoding': _, ...headers } = incoming.headers;
  const onward = request(
    { host: '127.0.0.1', port: proxy.port, method: incoming.method, path: incoming.url, headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      passed.push(Buffer.from(answer.rawHeaders.join('\n')));
      answer.on('data', (part: Buffer) => passed.push(part));
      answer.pipe(outgoing);
    },
  );
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-foreign-'));
  const mediaPort = await open((_, outgoing) => outgoing.writeHead(200, { 'Content-Type': 'image/gif' }).end(pixel));
  const media = `http://127.0.0.1:${mediaPort}`;
  foreign = await openForeignSite({ photo: `${media}/ann.gif` });
  url = `http://localhost:${await open(answerPage)}`;
  const files = join(folder, 'friends');
  await mkdir(files);
  const uses = ['people.get', 'appdata.get', 'appdata.update', 'activities.create'];
  await writeFile(join(files, 'gadget.json'), JSON.stringify({ name: 'Board', page: 'index.html', uses }));
  await writeFile(join(files, 'index.html'), app);
  const { key, secret } = consumerOf('friends');
  const env = { GANTRY_DATA: join(folder, 'data'), GANTRY_VIEWER_KEY: viewerKey };
  await gantry(['app', 'add', files, '--key', key, '--trusted'], { ...env, GANTRY_APP_SECRET: secret });
  proxy = await start('proxy', ['--upstream', foreign.url, '--url', url, '--media-origin', media], env);
});
test.afterAll(async () => {
  expect(await proxy.stop()).toBe(0);
  await foreign.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});

const inside = (page: Page) => page.frameLocator('gantry-gadget iframe');
const press = async (page: Page, id: string) => {
  await isDrawn(page.locator('gantry-gadget'));
  await inside(page).locator(`#${id}`).click();
};
const widthOf = (page: Page, id: string) =>
  inside(page)
    .locator(`#${id}`)
    .evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : undefined));

test('a gadget before an existing site shows people and their photos, and nothing from elsewhere (site owner’s guide)', async ({
  page,
}) => {
  await page.goto(url);
  await expect(inside(page).locator('#me')).toHaveText('Ann');
  await expect(inside(page).locator('#friends')).toHaveText('1: 8');
  await expect.poll(() => widthOf(page, 'photo')).toBe(1);
  expect(await widthOf(page, 'other')).toBe(0); // the same bytes from an address that was not named
});

test('an empty map is {}, and a written value is read back, signed with the site’s key for the member (app surface)', async ({
  page,
}) => {
  await page.goto(url);
  await expect(inside(page).locator('#data')).toHaveText('{}');
  await press(page, 'save');
  await expect(inside(page).locator('#data')).toHaveText('{"7":{"tide":"low"}}');
  const written = foreign.received.find(({ method }) => method === 'POST');
  expect(written).toMatchObject({ consumerKey: consumerOf('friends').key, requestor: '7', body: '{"tide":"low"}' });
});

test('errors in HTML and in plain text are one line of text without markup (app surface)', async ({ page }) => {
  await page.goto(url);
  const status = inside(page).locator('#status');
  await press(page, 'unknown');
  await expect(status).toHaveText('Error No such member');
  await press(page, 'rude');
  await expect(status).toHaveText('Not for you');
  expect(await status.evaluate(({ children }) => children.length)).toBe(0); // the app put it into its page as HTML
});

test('a bare 500 for the interval is a wait, which the page counts down where the app lets it (app surface)', async ({
  page,
}) => {
  await page.goto(url);
  const status = inside(page).locator('#status');
  await press(page, 'post');
  await expect(status).toHaveText('posted');
  await press(page, 'post');
  await expect(status).toHaveText('RATE_LIMITED 30');
  await press(page, 'later');
  await expect(page.locator('gantry-gadget [part="outbox"]')).toContainText(/0:[0-3]\d/);
});

test('no key, secret or token of the site’s is in what the browser gets (security rule 8)', async ({ page }) => {
  passed.length = 0;
  await page.goto(url);
  await expect(inside(page).locator('#friends')).toHaveText('1: 8');
  await expect(inside(page).locator('#me')).toHaveText('Ann');
  const all = Buffer.concat(passed).toString();
  const { key, secret } = consumerOf('friends');
  expect(all).toContain('"displayName":"Ann"'); // the positive control
  expect([key, secret, viewerKey].filter((text) => all.includes(text))).toEqual([]);
});
