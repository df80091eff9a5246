/** Targets that lead nowhere as they are sent, and to the container's script once something decodes them or merges slashes. */
const untouched = ['/gantry/%63ontainer.js', '/gantry//container.js'];

/** More than nginx lets through unless told otherwise, and less than any photo setting. */
const photoBytes = 2 * 2 ** 20;

/**
 * Asks the running site through its public address for what a reverse proxy may alter on the way: targets, which signatures
 * cover; answers that are for one member; bodies of photos.
 *
 * @param options.pages Whether the site has Gantry's account pages. They are what is tried for the last two.
 * @returns One line for each thing that is to be mended.
 */
export async function checkAlterations({
  site,
  pages = true,
}: {
  readonly site: string;
  readonly pages?: boolean;
}): Promise<readonly string[]> {
  const lines = await Promise.all([targetTroubles(site), ...(pages ? [cacheTroubles(site), bodyTroubles(site)] : [])]);
  return lines.flat();
}

async function targetTroubles(site: string): Promise<string[]> {
  const answers = await Promise.all(untouched.map((target) => ask(site + target)));
  const rewritten = untouched.filter((_, index) => answers[index]?.status === 200);
  if (rewritten.length === 0) return [];
  return [
    `The proxy rewrites targets: ${rewritten.join(' and ')} arrived as /gantry/container.js. Signatures cover targets as they were sent: pass them on untouched (nginx: proxy_pass without a path).`,
  ];
}

async function cacheTroubles(site: string): Promise<string[]> {
  const answer = await ask(`${site}/account/apps`);
  if (answer === undefined) return [];
  const control = answer.headers.get('Cache-Control') ?? '';
  const age = Number(answer.headers.get('Age') ?? 0);
  if (/\bno-store\b/.test(control) && !(age > 0)) return [];
  return [
    `Answers are kept or may be kept: /account/apps came with ${age > 0 ? `Age: ${age}` : `Cache-Control: ${control || 'none'}`}, and one member could get the page of another. Switch caching off for Gantry's paths and leave Cache-Control as it is.`,
  ];
}

// As another site's page would send it: Gantry refuses it without reading the body.
async function bodyTroubles(site: string): Promise<string[]> {
  const answer = await ask(`${site}/account/photos/album/none/upload`, {
    method: 'PUT',
    headers: { 'Content-Type': 'image/jpeg', Origin: 'https://gantry-check.invalid' },
    body: new Uint8Array(photoBytes),
  });
  if (answer?.status !== 413) return [];
  return [
    `Photos are refused before they reach Gantry: a body of ${photoBytes / 2 ** 20} MiB is answered 413. Let 32 MB through to /account/photos (nginx: client_max_body_size 32m).`,
  ];
}

/** Returns `undefined` where there is no answer, which other checks tell. */
async function ask(address: string, init: RequestInit = {}): Promise<Response | undefined> {
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000), ...init });
    await answer.body?.cancel();
    return answer;
  } catch {
    return undefined;
  }
}
