import { hostTrouble } from '@gantry/server';
import type { EventsRequest, Instance, InstanceAnswer, InstanceRequest } from '@gantry/wire';
import { policyTroubles } from './check-policy.ts';

/**
 * Asks the running site through its public address what the pages of a member ask, and looks at what a reverse proxy makes of
 * it: whether the `Host` and the `Origin` of a page's calls arrive, whether cookies keep to the site and its pages admit scripts
 * of apps, and, with the cookie of a member, whether events come while their stream is open (docs/guides/operations.md).
 *
 * @returns One line for each thing that is to be mended.
 */
export async function checkPassage(options: {
  /** Origin of the site's pages. */
  readonly site: string;
  /** Id of a registered app. */
  readonly app: string;
  /** Address of its page. */
  readonly document: string;
  /** `name=value` of a member who is signed in. Absent: events are not tried. */
  readonly cookie?: string | undefined;
  /** How long the first event may take: the site sends it at once. */
  readonly patienceMs?: number;
}): Promise<readonly string[]> {
  const { site, app, document, cookie, patienceMs = 5_000 } = options;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(site + path, { redirect: 'manual', signal: AbortSignal.timeout(10_000), ...init });
  const send = (path: string, body: readonly InstanceRequest[] | EventsRequest, signal?: AbortSignal) =>
    ask(path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Gantry-Container': '1',
        Origin: site,
        ...(cookie !== undefined && { Cookie: cookie }),
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });

  async function pageTroubles(): Promise<string[]> {
    const pages = await Promise.all(['/', '/account/sign-in'].map((path) => ask(path)));
    await Promise.all(pages.map(({ body }) => body?.cancel()));
    const cookies = pages.flatMap(({ headers }) => headers.getSetCookie().flatMap(cookieTrouble));
    const [home] = pages;
    const policy = home?.headers.get('Content-Security-Policy') ?? null;
    return [...new Set(cookies), ...policyTroubles(policy, { site, document })];
  }

  async function callTroubles(): Promise<string[]> {
    const answer = await send('/gantry/instances', [{ app }]);
    if (answer.status === 421) return [hostTrouble(site)];
    if (answer.status !== 200) {
      const { error } = (await answer.json().catch(() => ({}))) as { readonly error?: { readonly message?: string } };
      return [`The calls of pages are answered ${answer.status}: ${error?.message ?? 'not by Gantry.'}`];
    }
    const [gadget] = (await answer.json()) as readonly InstanceAnswer[];
    if (cookie === undefined || gadget === undefined) return [];
    return 'ok' in gadget ? eventTroubles(gadget.ok) : [`${app} is refused: ${gadget.error.message}`];
  }

  async function eventTroubles({ instance, token, since }: Instance): Promise<string[]> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), patienceMs);
    try {
      const stream = await send('/gantry/events', { tokens: { [instance]: token }, since: [since ?? ''] }, over.signal);
      if (stream.status === 401) return ['GANTRY_CHECK_COOKIE signs nobody in: copy it anew from a browser.'];
      if (stream.status !== 200)
        return [`/gantry/events is answered ${stream.status}: no page hears what others change.`];
      await stream.body?.getReader().read();
      return [];
    } catch (error) {
      if (!over.signal.aborted) throw error;
      return [
        `No event comes within ${patienceMs / 1_000} s: something before the site collects what it passes on. Switch buffering and compression off for /gantry/events.`,
      ];
    } finally {
      clearTimeout(timer);
      over.abort();
    }
  }

  try {
    return [...(await pageTroubles()), ...(await callTroubles())];
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } };
    return [`${site} cannot be asked what its pages ask (${cause?.code ?? name}).`];
  }
}

// Chromium takes a cookie without SameSite for Lax; others send it with whatever another site's page asks.
function cookieTrouble(line: string): string[] {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const keepsToSite = attributes.some((attribute) => /^samesite=(lax|strict)$/i.test(attribute));
  const name = pair.split('=')[0];
  return keepsToSite
    ? []
    : [
        `The cookie ${name} is set without SameSite=Lax or Strict: browsers send it along with what pages of other sites ask.`,
      ];
}
