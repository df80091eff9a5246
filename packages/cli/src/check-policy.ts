/**
 * Finds what a page's `Content-Security-Policy` admits of apps where their documents come from the site's own origin: files
 * of an app are then scripts of `'self'`, and a flaw that lets somebody write a script tag can load them into the page.
 *
 * @param policy The header of a page of the site; `null` where it sends none, which admits scripts from anywhere.
 * @returns One line, or none.
 */
export function policyTroubles(
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
    `The pages' script-src has ${wide}, which admits files of apps, since they come from ${origin} too: name your scripts by path (${origin}/gantry/container.js ${origin}/gantry/chunks/) or by nonce, or set --apps-host.`,
  ];
}
