import { askSite } from './ask-site.ts';

/** Files with keys, and the content by which each is recognized. */
const secrets: Readonly<Record<string, RegExp>> = {
  'keys.json': /^\s*\{[\s\S]*"(?:secretKey|tokenKeys)"/,
  'gantry.db': /^SQLite format 3/,
  'gantry.env': /^GANTRY_\w+=/m,
  'sample-members.json': /^\s*\{[\s\S]*"password"/,
  'site-key.pem': /-----BEGIN/,
  'viewer-key': /^[\w-]{43,128}\s*$/,
};

/** Characters that are enough to recognize a file. */
const neededLength = 4_096;

/** A site has few of them, so that the check is no flood. */
const mostTogether = 8;

export interface SecretsCheck {
  /** Origin of the site's pages. */
  readonly site: string;
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Absolute path of the site's folder, beside whose pages settings may lie. */
  readonly folder: string;
}

/**
 * Asks the site for the files with its keys, at each address at which a web server that serves the
 * data folder, the site's folder or one above them would send them (security rule 31).
 *
 * @returns One line with the addresses that answer with a secret, and the remedy; or none.
 */
export async function checkSecrets({ site, data, folder }: SecretsCheck): Promise<readonly string[]> {
  if ((await askSite(site)) === undefined) return []; // other checks report it
  const folders = new Set([...placesOf(data), ...placesOf(folder), '.gantry', 'data']);
  const paths = [...folders].flatMap((place) => Object.keys(secrets).map((name) => join(place, name)));
  const publicPaths: string[] = [];
  for (let start = 0; start < paths.length; start += mostTogether) {
    const some = paths.slice(start, start + mostTogether);
    const open = await Promise.all(some.map((path) => isPublic(site, path)));
    publicPaths.push(...some.filter((_, index) => open[index]));
  }
  if (publicPaths.length === 0) return [];
  return [
    `SECRETS ARE PUBLIC: anyone can read ${publicPaths.map((path) => `${site}${path}`).join(', ')}, and act as any member. Stop the site, move the files out of what its web server sends (${data} too, and name the new place with GANTRY_DATA), then replace every key: docs/guides/operations.md, "Keys that were public".`,
  ];
}

/** Returns the paths of a folder below each folder above it: a server's root may be any of them. */
function placesOf(folder: string): readonly string[] {
  const parts = folder.split(/[/\\]/).filter((part) => part !== '');
  return [...parts.keys(), parts.length].map((from) => parts.slice(from).map(encodeURIComponent).join('/'));
}

function join(place: string, name: string): string {
  return place === '' ? `/${name}` : `/${place}/${name}`;
}

async function isPublic(site: string, path: string): Promise<boolean> {
  try {
    const answer = await fetch(site + path, { signal: AbortSignal.timeout(10_000) });
    if (answer.status === 200) return secrets[path.split('/').at(-1) as string]?.test(await beginning(answer)) ?? false;
    await answer.body?.cancel();
  } catch {
    // an answer that ends too early shows no secret
  }
  return false;
}

/** Reads the first characters of an answer, each byte as one. */
async function beginning(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  let text = '';
  while (reader && text.length < neededLength) {
    const { done, value } = await reader.read();
    if (done) break;
    text += Buffer.from(value.subarray(0, neededLength)).toString('latin1');
  }
  await reader?.cancel();
  return text;
}
