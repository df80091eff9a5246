/**
 * Checks whether a page's `Content-Security-Policy` allows scripts of apps that are served from the
 * site's own origin: they count as `'self'`, so an injected tag could load them.
 *
 * @param policy Header of a page of the site; `null`: none, which allows scripts from anywhere.
 * @returns One line, or none.
 */
export function policyProblems(
  policy: string | null,
  addresses: { site: string; document: string },
): readonly string[] {
  const { origin, host } = new URL(addresses.site);
  if (policy === null || new URL(addresses.document).origin !== origin) return [];
  const wide = scriptSources(policy)?.find((source) =>
    ["'self'", '*', origin, `${origin}/`, host, 'http:', 'https:'].includes(source),
  );
  if (wide === undefined) return [];
  return [
    `The pages' script-src has ${wide}, which allows files of apps, since they come from ${origin} too: name your scripts by path (${origin}/gantry/container.js ${origin}/gantry/chunks/) or by nonce, or set --apps-host.`,
  ];
}

/**
 * Checks whether a page's policies let the container run: under one that does not, no script of
 * Gantry can say so on the page.
 *
 * @param policy Header of a page of the site, if any.
 * @param html The page, which may have policies of its own.
 * @returns One line, or none, as for a page that does not load the container.
 */
export function containerProblems(
  policy: string | null,
  { site, html }: { readonly site: string; readonly html: string },
): readonly string[] {
  const [tag] = /<script\b[^>]*\/gantry\/container\.js[^>]*>/i.exec(html) ?? [];
  if (tag === undefined) return [];
  const [, nonce] = /\bnonce=["']?([^"'\s>]+)/i.exec(tag) ?? [];
  const metas = html.matchAll(/<meta\b[^>]*\bcontent-security-policy\b[^>]*\bcontent="([^"]*)"/gi);
  const [script, chunks] = ['container.js', 'chunks/'].map((path) => new URL(`/gantry/${path}`, site)) as [URL, URL];
  const refused = [...(policy?.split(',') ?? []), ...[...metas].map(([, text = '']) => text)]
    .map(scriptSources)
    .find((sources) => {
      if (sources === undefined) return false;
      const isKnown = sources.includes(`'nonce-${nonce}'`) || sources.some((source) => /^'sha\d+-/.test(source));
      if (sources.includes("'strict-dynamic'")) return !isKnown;
      const loads = (url: URL) => sources.some((source) => admits(source, url));
      return !loads(chunks) || !(isKnown || loads(script));
    });
  if (refused === undefined) return [];
  return [
    `The policy of ${site}/ lets no gadget start, and only the browser's console says so: its script-src (${refused.join(' ') || "'none'"}) needs ${script} ${chunks}`,
  ];
}

/** Returns the sources of scripts that a policy allows; `undefined` if it allows all. */
function scriptSources(policy: string): readonly string[] | undefined {
  const directives = new Map(
    policy
      .split(/[;,]/)
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources]),
  );
  return ['script-src-elem', 'script-src', 'default-src'].map((name) => directives.get(name)).find(Boolean);
}

/** Returns whether a source of a policy allows an address, or all below a folder. */
function admits(source: string, url: URL): boolean {
  if (source === "'self'" || source === '*' || source === url.protocol) return true;
  const full = source.includes('://') ? source : `${url.protocol}//${source}`;
  if (!URL.canParse(full)) return source.includes('*'); // any port
  const { host, pathname } = new URL(full);
  const isHost = host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : host === url.host;
  return isHost && (pathname.endsWith('/') ? url.pathname.startsWith(pathname) : url.pathname === pathname);
}
