import type { gantryPaths } from '@gantry/wire';
import { askSite } from './ask-site.ts';

type GantryPath = (typeof gantryPaths)[number];

/** Recognizes Gantry by its answer to a bare `GET`. */
type IsOurs = (answer: Response) => boolean;

const isPage: IsOurs = ({ status, headers }) =>
  status === 303 || /^default-src 'none'/.test(headers.get('Content-Security-Policy') ?? '');
const isError: IsOurs = ({ status, headers }) =>
  status >= 400 && /^application\/json/.test(headers.get('Content-Type') ?? '');
const isOAuth: IsOurs = ({ headers }) => /^OAuth realm=/.test(headers.get('WWW-Authenticate') ?? '');
const isDocument: IsOurs = ({ status, headers }) =>
  status === 200 && /^application\/json/.test(headers.get('Content-Type') ?? '');

/** Gantry's response at each path. Monitoring paths may be private and are not checked. */
const answers: Readonly<Record<GantryPath, IsOurs | undefined>> = {
  '/account': isPage,
  '/admin/oauth/access_token': isOAuth,
  '/admin/oauth/authorize': isPage,
  '/admin/oauth/request_token': isOAuth,
  '/gantry': isError,
  '/healthz': undefined,
  '/metrics': undefined,
  '/oauth/access_token': isOAuth,
  '/oauth/authorize': isPage,
  '/oauth/request_token': isOAuth,
  '/openapi.json': isDocument,
  '/opensocial': isError,
  '/readyz': undefined,
  '/reference': isPage,
  '/rpc': isError,
  '/social': isError,
};

/**
 * Requests each path of Gantry through the public address.
 *
 * @param options.site Origin of the site's pages.
 * @param options.only Paths to check. Default: all.
 * @returns One line with the paths that something else answers, or none.
 */
export async function checkPaths({
  site,
  only = Object.keys(answers) as GantryPath[],
}: {
  readonly site: string;
  readonly only?: readonly GantryPath[];
}): Promise<readonly string[]> {
  const tried = await Promise.all(
    only.map(async (path) => {
      const isOurs = answers[path];
      if (isOurs === undefined) return [];
      const answer = await askSite(site + path);
      const isKnown = answer === undefined || answer.status === 421; // 421: a changed Host, which other checks report
      return isKnown || isOurs(answer) ? [] : [path];
    }),
  );
  const missed = tried.flat();
  if (missed.length === 0) return [];
  return [
    `Gantry does not answer at ${missed.join(', ')}: pass ${missed.length === 1 ? 'it' : 'them'} on, with all paths below.`,
  ];
}
