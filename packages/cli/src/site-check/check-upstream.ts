import { UsageError } from '@gantry/server';

/**
 * Sends one unsigned request to an existing site. A site with this API refuses it.
 *
 * @returns A warning, if any: the site may be starting too.
 * @throws UsageError if something else answers.
 */
export async function checkUpstream(upstreamUrl: string): Promise<string | undefined> {
  let response: Response;
  try {
    response = await fetch(`${upstreamUrl}/people/@me/@self`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(3_000),
    });
    await response.body?.cancel();
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : (cause as Error).name;
    return `The site at ${upstreamUrl} cannot be reached (${why}). Apps get errors until it can.`;
  }
  const { status } = response;
  if (status === 400 || status === 401 || status === 403) return undefined;
  if (status === 429 || status >= 500) return `The site at ${upstreamUrl} answers ${status}.`;
  throw new UsageError(
    `${upstreamUrl} is not the REST root of this API: ${upstreamUrl}/people/@me/@self answers ${status} instead of 401. ` +
      'Name the parent of /people/…, for example https://site.example/social/rest.',
  );
}
