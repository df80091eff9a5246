/**
 * Checks whether a page's `Content-Security-Policy` allows scripts of apps that are served from the
 * site's own origin: they count as `'self'`, so an injected script tag could load them into the
 * page.
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
  const directives = new Map(
    policy
      .split(/[;,]/)
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources]),
  );
  const scripts =
    ['script-src-elem', 'script-src', 'default-src'].map((name) => directives.get(name)).find(Boolean) ?? [];
  const wide = scripts.find((source) =>
    ["'self'", '*', origin, `${origin}/`, host, 'http:', 'https:'].includes(source),
  );
  if (wide === undefined) return [];
  return [
    `The pages' script-src has ${wide}, which allows files of apps, since they come from ${origin} too: name your scripts by path (${origin}/gantry/container.js ${origin}/gantry/chunks/) or by nonce, or set --apps-host.`,
  ];
}
