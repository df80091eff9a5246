import { dataBlock, hashSource } from './inline.ts';
import { style } from './style.ts';

interface Page {
  readonly html: string;
  /** The `Content-Security-Policy`. */
  readonly policy: string;
}

/** Builds the page of the self-test. Its script adds the results. */
export function selfTestPage(options: {
  readonly setup: { readonly mode: string; readonly tellsPurpose: boolean };
  readonly siteOrigin: string;
  /** Origins of the page's frames. */
  readonly origins: readonly string[];
}): Page {
  const { setup, siteOrigin, origins } = options;
  const html = `<!doctype html>
<html lang="en" data-self-test="running">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Self-test of isolation</title>
<style>${style}</style>
${dataBlock('setup', setup)}
<script type="module" src="/gantry/self-test/page.js"></script>
</head>
<body>
<main>
<header>
<h1>Self-test of isolation</h1>
<p class="lead">Do apps stay in their frames in <em>this</em> browser? Probes are mounted as this site mounts apps, and try to get out.
Beside each stands the same probe without the guard: only what works there and fails here counts as held.</p>
</header>
<p id="verdict" role="status" data-verdict="running"><span class="mark" aria-hidden="true"></span><span id="words">Trying. This takes a few seconds.</span></p>
<noscript><p class="bad">This page needs scripts: it tries things out.</p></noscript>
<dl class="facts">
<dt>Site</dt><dd>${siteOrigin}</dd>
<dt>Apps live on</dt><dd>${setup.mode}</dd>
<dt>Browser</dt><dd id="browser">–</dd>
</dl>
<div id="claims"></div>
<p class="actions"><button class="quiet" type="button" id="again" hidden>Try again</button><button class="quiet" type="button" id="copy" hidden>Copy the result</button></p>
<p class="small muted">Nothing is kept or sent elsewhere. What this page cannot try, and what each mode leaves open:
<code>docs/isolation.md</code>. What a reverse proxy strips from answers: <code>gantry check --url</code>.</p>
</main>
</body>
</html>
`;
  return {
    html,
    policy: policy("'none'", {
      'script-src': `${siteOrigin}/gantry/self-test/`,
      'style-src': hashSource(style),
      'frame-src': origins.map((origin) => `${origin}/gantry/self-test/`).join(' '),
    }),
  };
}

function policy(ancestors: string, sources: Readonly<Record<string, string>>): string {
  const allowed = Object.entries(sources).map((directive) => directive.join(' '));
  const closed = ["base-uri 'none'", "form-action 'none'"];
  return ["default-src 'none'", ...allowed, ...closed, `frame-ancestors ${ancestors}`].join('; ');
}

// Frames the URL in its fragment, which its own policy must allow.
const narrowScript = `
const frame = document.createElement('iframe');
frame.title = 'Probe';
frame.setAttribute('sandbox', 'allow-scripts allow-forms');
frame.src = new URLSearchParams(location.hash.slice(1)).get('src');
document.body.append(frame);
`;

/** Builds a page with the recommended `frame-src`: the origins of apps and nothing else. */
export function narrowPage(options: {
  readonly siteOrigin: string;
  readonly origins: readonly string[];
  readonly root: string;
}): Page {
  const { siteOrigin, origins, root } = options;
  return {
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page with frame-src</title><body><script>${narrowScript}</script>`,
    policy: policy(siteOrigin, {
      'script-src': hashSource(narrowScript),
      'frame-src': origins.map((origin) => `${origin}${root}/apps/`).join(' '),
    }),
  };
}
