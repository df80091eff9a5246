import { createHash } from 'node:crypto';
import { type HttpResponse, isolatedName, shownName } from '@gantry/wire';
import { stylesheet } from '@gantry/wire/stylesheet';
import { html, raw } from 'hono/html';
import type { Html } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';
import { name } from './blocks.ts';

export interface Page {
  readonly texts: Texts;
  /** Name of the site, from its settings. */
  readonly site: string;
  readonly title: string;
  /** Content of `<main>`. It begins with an `<h1>`; `stylesheet.ts` lists its blocks. */
  readonly content: Html;
  /** Notice before the content. */
  readonly notice?: Html | undefined;
  /** Member who is signed in. */
  readonly viewer?: { readonly displayName: string } | undefined;
  /** Links of the header. `current` is the one to this page. */
  readonly nav?: readonly { readonly href: string; readonly label: string; readonly current?: boolean }[];
  /** Content beside the viewer's name, for example a form that signs out. */
  readonly beside?: Html | undefined;
  /** `narrow` for one question, `wide` for pictures. */
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** Default 200. */
  readonly status?: number;
  /** Beside `'self'`: CSP sources that a form's answer may redirect to. */
  readonly formTargets?: readonly string[];
  /** Text of one script, allowed by its hash. The page must do its work without it. */
  readonly script?: string;
  /** True if the script sends requests to the site. */
  readonly connects?: boolean;
  /** Names are lower case, so that none is sent twice. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Renders a page that loads nothing from other origins, cannot be framed and is never cached. */
export async function page(spec: Page): Promise<HttpResponse> {
  return {
    status: spec.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...languageHeaders(spec.texts),
      'content-security-policy': policy(spec),
      'cache-control': 'no-store',
      // Not no-referrer: with it browsers send `Origin: null` on our own forms.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      ...spec.headers,
    },
    body: String(await document(spec)),
  };
}

/** Headers of an answer that depends on `Accept-Language` (RFC 9110 §8.5, §12.5.5). */
export function languageHeaders({ language }: Texts): Readonly<Record<string, string>> {
  return { 'content-language': language, vary: 'Accept-Language' };
}

function document(page: Page): Html {
  const { texts, site, title, content, notice, viewer, nav = [], beside, width = 'normal', script } = page;
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shownName(title)} · ${isolatedName(site)}</title>
<style>${raw(stylesheet)}</style>
</head>
<body>
<a class="skip" href="#content">${texts.say('skip')}</a>
<header class="top"><div>
<a class="brand" href="/" dir="auto">${shownName(site)}</a>
${nav.length > 0 && html`<nav aria-label="${texts.say('account')}">${nav.map(({ href, label, current }) => html`<a href="${href}"${current && raw(' aria-current="page"')}>${label}</a>`)}</nav>`}
${viewer && html`<div class="me"><span><span class="hidden">${texts.say('signedInAs')} </span>${name(viewer.displayName)}</span>${beside}</div>`}
</div></header>
<main id="content" class="${width}" tabindex="-1">
${notice}
${content}
</main>
${script !== undefined && html`<script>${raw(script)}</script>`}
</body>
</html>`;
}

const styleSource = hashSource(stylesheet);

function policy({ formTargets = [], script, connects }: Page): string {
  const parts = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
    ...(connects ? ["connect-src 'self'"] : []),
    "img-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return parts.join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
