import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Answer } from '../exchange.ts';
import { stylesheet } from './stylesheet.ts';

/** Escaped HTML, made with `html` of `hono/html`. */
export type Html = ReturnType<typeof html>;

export interface NavItem {
  readonly href: string;
  readonly label: string;
  /** True on the page that this leads to. */
  readonly current?: boolean;
}

export interface Page {
  /** Name of the site, from its settings. */
  readonly site: string;
  readonly title: string;
  /** What stands in `<main>`. It begins with an `<h1>`; `stylesheet.ts` lists the blocks that there are. */
  readonly content: Html;
  /** Said before the content. */
  readonly notice?: Html | undefined;
  /** Who is signed in. */
  readonly viewer?: { readonly displayName: string } | undefined;
  /** Links of the header. */
  readonly nav?: readonly NavItem[];
  /** What stands beside the viewer's name, for example a form that signs out. */
  readonly beside?: Html | undefined;
  /** `narrow` for one question, `wide` for pictures. */
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** Default 200. */
  readonly status?: number;
  /** Beside `'self'`: CSP sources that a form's answer may redirect to. */
  readonly formTargets?: readonly string[];
  /** Text of one script, allowed by its hash. The page must do its work without it. */
  readonly script?: string;
  /** Whether the script sends requests to the site. */
  readonly connects?: boolean;
  /** Names are lower case, so that none is sent twice. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Renders a page of the service's own: sign-in, consent, keys, photos. Nothing on it comes from another origin, nobody can
 * frame it, and no cache keeps it.
 */
export async function page(spec: Page): Promise<Answer> {
  return {
    status: spec.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
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

function document({ site, title, content, notice, viewer, nav = [], beside, width = 'normal', script }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${site}</title>
<style>${raw(stylesheet)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div>
<a class="brand" href="/" dir="auto">${site}</a>
${nav.length > 0 && html`<nav aria-label="Account">${nav.map(link)}</nav>`}
${viewer && html`<div class="me"><span><span class="hidden">Signed in as </span><bdi>${viewer.displayName}</bdi></span>${beside}</div>`}
</div></header>
<main id="content" class="${width}" tabindex="-1">
${notice}
${content}
</main>
${script !== undefined && html`<script>${raw(script)}</script>`}
</body>
</html>`;
}

function link({ href, label, current }: NavItem): Html {
  return html`<a href="${href}"${current ? raw(' aria-current="page"') : ''}>${label}</a>`;
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
