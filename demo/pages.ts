import { readFile } from 'node:fs/promises';
import { isId } from '@gantry/wire';
import { Hono } from 'hono';
import { drawAvatar } from './avatars.ts';
import type { Community } from './community.ts';
import { appPage } from './site/app-page.ts';
import { homePage } from './site/home-page.ts';
import type { Html, PageContext } from './site/layout.ts';
import { messagePage } from './site/message-page.ts';
import { profilePage } from './site/profile-page.ts';
import { isLoopback, memberCookie, refusal, viewerOf } from './viewer.ts';

const files: Readonly<Record<string, string>> = {
  'site.css': 'text/css; charset=utf-8',
  'welcome.css': 'text/css; charset=utf-8',
  'chooser.css': 'text/css; charset=utf-8',
  'chooser.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/**
 * Creates a `fetch` function for the site's own pages.
 *
 * @param options.appFrames CSP source of the apps' documents, given the site's origin.
 *
 * @param options.hasPreferences Returns whether a registered app has a view of that name.
 */
export function createPages(options: {
  readonly community: Community;
  readonly appFrames: (siteOrigin: string) => string;
  readonly hasPreferences: (app: string) => Promise<boolean>;
}): (request: Request) => Promise<Response> {
  const { community, appFrames, hasPreferences } = options;
  const pages = new Hono();

  pages.use(async (c, next) => {
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'same-origin');
  });
  pages.get('/', (c) => page(c.req.raw, 200, homePage));
  pages.get('/members/:id', (c) => {
    const context = contextOf(c.req.raw);
    const member = community.visit(c.req.param('id'), context.viewer?.id);
    return member ? page(c.req.raw, 200, () => profilePage(context, member)) : nobodyThere(c.req.raw);
  });
  pages.get('/apps/:id', async (c) => {
    const id = c.req.param('id');
    if (!isId(id)) return nobodyThere(c.req.raw);
    const app = { id, hasPreferences: await hasPreferences(id) };
    return page(c.req.raw, 200, (context) => appPage(context, app));
  });
  pages.get('/avatars/:file{[A-Za-z0-9._:-]+\\.svg}', (c) => {
    const member = community.find(c.req.param('file').slice(0, -'.svg'.length));
    return member ? avatar(member) : nobodyThere(c.req.raw);
  });
  pages.post('/sign-in', async (c) => signIn(c.req.raw));
  pages.get('/site/:file', async (c) => {
    const name = c.req.param('file');
    const type = Object.hasOwn(files, name) ? files[name] : undefined;
    if (type === undefined) return nobodyThere(c.req.raw);
    const content = await readFile(new URL(`site/${name}`, import.meta.url));
    return new Response(content, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } });
  });
  pages.notFound((c) => nobodyThere(c.req.raw));

  return async (request) => pages.fetch(request);

  function contextOf(request: Request): PageContext {
    const id = viewerOf(request, (one) => community.find(one) !== undefined);
    const viewer = id === undefined ? undefined : community.find(id);
    return { community, viewer, mayChoose: isLoopback(request) };
  }

  async function page(request: Request, status: number, render: (context: PageContext) => Html): Promise<Response> {
    const { origin } = new URL(request.url);
    const body = await render(contextOf(request));
    return new Response(String(body), { status, headers: pageHeaders({ origin, frames: appFrames(origin) }) });
  }

  function nobodyThere(request: Request): Promise<Response> {
    const text = 'There is no such page, or nobody of that name who wants to be found.';
    return page(request, 404, (context) => messagePage(context, { title: 'Nothing moored here', text }));
  }

  async function signIn(request: Request): Promise<Response> {
    const reason = refusal(request);
    if (reason !== undefined) {
      return page(request, 403, (context) => messagePage(context, { title: 'Not from here', text: reason }));
    }
    const chosen = (await request.formData().catch(() => new FormData())).get('member');
    const member = typeof chosen === 'string' ? community.find(chosen) : undefined;
    if (!member && chosen !== 'none') {
      const text = 'The form named no member of this site.';
      return page(request, 400, (context) => messagePage(context, { title: 'Who was that?', text }));
    }
    return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': memberCookie(member?.id) } });
  }
}

function pageHeaders({ origin, frames }: { readonly origin: string; readonly frames: string }): Record<string, string> {
  // Named by path: files of apps may come from this origin too.
  const scripts = ['/gantry/container.js', '/gantry/chunks/', '/site/'].map((path) => origin + path);
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${frames}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  };
}

function avatar({ id, displayName, gender }: { id: string; displayName: string; gender?: string }): Response {
  return new Response(drawAvatar({ id, name: displayName, gender }), {
    headers: {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin', // shown by gadgets in frames of another origin
      'Cache-Control': 'public, max-age=3600',
    },
  });
}
