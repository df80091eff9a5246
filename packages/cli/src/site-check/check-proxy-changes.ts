import { askSite } from './ask-site.ts';

/** Targets that lead to the container's script only if decoded or with merged slashes. */
const untouched = ['/gantry/%63ontainer.js', '/gantry//container.js'];

/** More than nginx allows by default, and less than the limit for photos. */
const photoBytes = 2 * 2 ** 20;

/**
 * Checks through the public address what a reverse proxy may change: targets, which signatures
 * cover; caching of one member's responses; bodies of photos.
 *
 * @param options.pages The site has Gantry's account pages, which the last two checks use.
 * @returns One line for each problem.
 */
export async function checkProxyChanges(options: {
  readonly site: string;
  readonly pages?: boolean;
}): Promise<readonly string[]> {
  const { site, pages = true } = options;
  const lines = await Promise.all([targetProblems(site), ...(pages ? [cacheProblems(site), bodyProblems(site)] : [])]);
  return lines.flat();
}

async function targetProblems(site: string): Promise<string[]> {
  const answers = await Promise.all(untouched.map((target) => askSite(site + target)));
  const rewritten = untouched.filter((_, index) => answers[index]?.status === 200);
  if (rewritten.length === 0) return [];
  return [
    `The proxy rewrites targets: ${rewritten.join(' and ')} arrived as /gantry/container.js. Signatures cover targets as sent: pass them on unchanged (nginx: proxy_pass without a path).`,
  ];
}

async function cacheProblems(site: string): Promise<string[]> {
  const answer = await askSite(`${site}/account/apps`);
  if (answer === undefined) return [];
  const control = answer.headers.get('Cache-Control') ?? '';
  const age = Number(answer.headers.get('Age') ?? 0);
  if (/\bno-store\b/.test(control) && !(age > 0)) return [];
  return [
    `Responses are or may be cached: /account/apps has ${age > 0 ? `Age: ${age}` : `Cache-Control: ${control || 'none'}`}, and one member could get the page of another. Turn off caching for Gantry's paths and leave Cache-Control unchanged.`,
  ];
}

// Sent as by another site's page: Gantry refuses it without reading the body.
async function bodyProblems(site: string): Promise<string[]> {
  const answer = await askSite(`${site}/account/photos/album/none/upload`, {
    method: 'PUT',
    headers: { 'Content-Type': 'image/jpeg', Origin: 'https://gantry-check.invalid' },
    body: new Uint8Array(photoBytes),
  });
  if (answer?.status !== 413) return [];
  return [
    `Photos are refused before they reach Gantry: a body of ${photoBytes / 2 ** 20} MiB is answered 413. Allow 32 MB for /account/photos (nginx: client_max_body_size 32m).`,
  ];
}
