import { UsageError } from '@gantry/server';

/**
 * Asks an existing site one unsigned question. What speaks this API refuses it for its missing signature.
 *
 * @returns What to warn of: the site may be starting too.
 * @throws UsageError for an address at which something else answers.
 */
export async function checkUpstream(
  upstreamUrl: string,
  {
    fetch = globalThis.fetch,
    patienceMs = 3_000,
  }: { readonly fetch?: typeof globalThis.fetch; readonly patienceMs?: number } = {},
): Promise<string | undefined> {
  let response: Response;
  try {
    response = await fetch(`${upstreamUrl}/people/@me/@self`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.body?.cancel();
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : (cause as Error).name;
    return `The site at ${upstreamUrl} cannot be reached at the moment (${why}). Apps get errors until it can.`;
  }
  const { status } = response;
  if (status === 400 || status === 401 || status === 403) return undefined;
  if (status === 429 || status >= 500) return `The site at ${upstreamUrl} answers ${status} at the moment.`;
  throw new UsageError(
    `${upstreamUrl} is no REST root of this API: ${upstreamUrl}/people/@me/@self answers ${status} instead of 401. ` +
      'Name the address below which /people/… is, for example https://site.example/social/rest.',
  );
}
