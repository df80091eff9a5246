import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { signRequest } from '@gantry/oauth';
import { type APIRequestContext, type BrowserContext, expect, test } from '@playwright/test';
import { allowAll } from '../e2e/choose.ts';
import { gantryCheck, gantryKey, type SiteBesideGantry, starter } from './beside-gantry.ts';
import { password, type RunningExample, type Start } from './example.ts';
import { guideCommands, writeGuide } from './guide-file.ts';
import type { Mistake } from './proxy-mistakes.ts';
import { describeExample, optionsOf } from './scenario.ts';

interface DescribedSite extends SiteBesideGantry {
  readonly name: string;
  readonly start: Start;
  /**
   * Mistakes in the configuration of a reverse proxy that rereads it at `reload`, run in the folder
   * of the site.
   */
  readonly mistakes?: readonly Mistake[];
  readonly reload?: string;
}

/**
 * Describes a site in another language behind its reverse proxy: the common scenario, the proxy's
 * duties, attacks on the token, and the guide, followed from an empty folder.
 */
export function describeBesideGantry(site: DescribedSite): void {
  let running: RunningExample | undefined;
  describeExample({
    name: site.name,
    async start(options) {
      running = await site.start(options);
      return running;
    },
    describeMore: () => describeBeside(site, () => running?.url ?? ''),
  });
}

function describeBeside(site: DescribedSite, url: () => string): void {
  const { name, configuration, mistakes = [] } = site;

  async function signIn(request: APIRequestContext, member: string): Promise<void> {
    const form = { name: member, password, return: '/' };
    const headers = { origin: url() };
    const answer = await request.post(`${url()}/sign-in`, { form, headers, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
  }

  /**
   * Returns whether Gantry has a viewer for this browser: only then it reads the empty body and
   * refuses it.
   */
  async function isMember(context: BrowserContext): Promise<boolean> {
    const headers = { origin: url(), 'gantry-container': '1' };
    const answer = await context.request.post(`${url()}/gantry/grants`, { headers, data: {} });
    expect([400, 401]).toContain(answer.status());
    return answer.status() === 400;
  }

  test('gantry check finds no fault behind the configuration of the guide', async ({ context }) => {
    await signIn(context.request, 'ada');
    const viewer = (await context.cookies()).find(({ name: cookie }) => cookie.startsWith('gantry_viewer'));
    const cookie = `${viewer?.name}=${viewer?.value}`;
    expect(await gantryCheck(optionsOf(name), { url: url(), cookie })).not.toContain('Not tried');
  });

  for (const path of [
    '/people/%40me/%40self?fields=displayName&x=%2F%2B%20~&y=%E2%98%83&z=',
    '/people/@me/@self/?x=a;b&x=a+b&x=%27(*)!',
    '/people/m%2D1001/@self?empty&=&a=b=c',
  ]) {
    test(`the proxy passes ${path} on as it was signed (RFC 5849 §3.4.1)`, async () => {
      const options = optionsOf(name);
      const consumer = await gantryKey(options, 'm-1001');
      const send = (signed: string, sent: string) => {
        const { authorization } = signRequest({
          method: 'GET',
          url: url() + signed,
          consumer,
          parameters: [['xoauth_requestor_id', 'm-1001']],
          timestamp: Math.floor(Date.now() / 1000),
          nonce: crypto.randomUUID(),
        });
        return answerTo(url(), { path: sent, headers: { authorization } });
      };
      const target = `/social/rest${path}`;
      expect(await send(target, target)).toContain('"displayName":"Ada"');
      expect(await send(target, `${target}&more=1`)).toContain('the signature is invalid'); // control
    });
  }

  for (const { title, make, told } of mistakes) {
    test(`gantry check reports that ${title}`, async ({ context }) => {
      const { folder } = optionsOf(name);
      const file = join(folder, configuration);
      const right = readFileSync(file, 'utf8');
      const load = async (text: string) => {
        const mark = crypto.randomUUID();
        writeFileSync(file, text.replace('server_name', `add_header X-Configuration ${mark};\n  server_name`));
        await promisify(execFile)('sh', ['-c', site.reload ?? 'false'], { cwd: folder });
        // Connections of the earlier configuration may close while in use.
        const once = { headers: { connection: 'close' } };
        await expect.poll(async () => (await fetch(url(), once)).headers.get('x-configuration')).toBe(mark);
      };
      await signIn(context.request, 'ada');
      const viewer = (await context.cookies()).find(({ name: cookie }) => cookie.startsWith('gantry_viewer'));
      expect(make(right)).not.toBe(right);
      try {
        await load(make(right));
        const check = gantryCheck(optionsOf(name), { url: url(), cookie: `${viewer?.name}=${viewer?.value}` });
        expect(
          await check.then(
            () => 'nothing',
            ({ stderr }: { stderr: string }) => stderr,
          ),
        ).toContain(told);
      } finally {
        await load(right);
        writeFileSync(file, right);
      }
    });
  }

  test('Gantry knows a member who registers after the import from their first page on (ADR 38)', async ({ page }) => {
    const db = new DatabaseSync(join(optionsOf(name).folder, 'data/site.db'));
    db.exec(`insert into member select 'm-2001', 'dee', 'Dee <b>', password_hash from member where id = 'm-1001'`);
    db.close();
    await signIn(page.context().request, 'dee');
    await page.goto(url());
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Dee <b>');
    await allowAll(page, 2);
    await expect(page.frameLocator('gantry-gadget[app=friends] iframe').getByText('No friends yet.')).toBeVisible();
  });

  test('a changed cookie is no session, and a changed token has no viewer', async ({ context }) => {
    await signIn(context.request, 'ada');
    expect(await isMember(context)).toBe(true);
    const cookies = await context.cookies();
    await context.addCookies(
      cookies.map((cookie) => ({
        ...cookie,
        value: cookie.name.startsWith('gantry_viewer') ? asBo(cookie.value) : `x${cookie.value.slice(1)}`,
      })),
    );
    expect(await isMember(context)).toBe(false);
    expect(await (await context.request.get(url())).text()).toContain('/sign-in');
  });

  test('a sign-out removes the token, and gadgets lose access at once', async ({ context }) => {
    await signIn(context.request, 'ada');
    expect(await isMember(context)).toBe(true);
    await context.request.post(`${url()}/sign-out`, { headers: { origin: url() }, maxRedirects: 0 });
    expect((await context.cookies()).map((cookie) => cookie.name).join()).not.toContain('gantry_viewer');
    expect(await isMember(context)).toBe(false);
  });

  test('the guide, followed from an empty folder, ends with two gadgets, one of which keeps data', async ({ page }) => {
    test.setTimeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), `gantry-guide-${name}-`));
    const options = { ...optionsOf(name), folder };
    const commands = guideCommands(`embed-${name}.md`);
    const shared = guideCommands('embed.md');
    expect(commands.length + shared.length).toBeLessThanOrEqual(9);
    expect(commands.slice(0, 2)).toEqual([
      expect.stringMatching(/^sudo apt-get install /),
      'npm install ./tarballs/*.tgz',
    ]);
    for (const guide of ['embed.md', `embed-${name}.md`]) writeGuide(guide, folder);
    // Both are already installed for the example, from the same places. Hard links look like npm's
    // own files.
    const installed = ['package.json', 'node_modules'].map((file) => join(optionsOf(name).folder, file));
    await promisify(execFile)('cp', ['-al', ...installed, folder]);
    for (const command of [...shared.slice(0, 2), ...commands.slice(2, commands.indexOf('sh start.sh'))]) {
      await promisify(execFile)('sh', ['-c', command], { cwd: folder, env: options.env });
    }
    const { url, stop } = await starter({ ...site, configuration, setup: [] })(options);
    try {
      await page.goto(url);
      await page.getByLabel('Name').fill('ada');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL(`${url}/`); // a reload sends the form no second time
      await allowAll(page, 2);
      await expect(page.frameLocator('gantry-gadget[app=friends] iframe').locator('li')).toHaveText(['Bo']);
      const notes = page.frameLocator('gantry-gadget[app=notes] iframe');
      await notes.getByLabel('New note').fill('Varnish the oars');
      await notes.getByRole('button', { name: 'Add' }).click();
      await expect(notes.locator('li')).toHaveText(['Varnish the oars']);
      await page.reload();
      await expect(notes.locator('li')).toHaveText(['Varnish the oars']);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    } finally {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Returns a token with another member, as its holder can write it without the key. */
function asBo(token: string): string {
  const [head = '', body = '', mac = ''] = token.split('.');
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: 'm-1002' };
  return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), mac].join('.');
}

/** Sends a target unchanged, which `fetch` does not guarantee. */
async function answerTo(
  url: string,
  options: { readonly path: string; readonly headers: OutgoingHttpHeaders },
): Promise<string> {
  const sent = request(url, { ...options, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return text(answer);
}
