import { hostProblem } from '@gantry/server';
import type { EventsRequest, Instance, InstanceAnswer, InstanceRequest } from '@gantry/wire';
import { containerProblems, policyProblems } from './check-policy.ts';

/**
 * Sends the requests of a member's pages through the public address, to check a reverse proxy:
 * `Host` and `Origin` of calls, cookies that stay on the site, pages that refuse scripts of apps
 * and, with a member's cookie, events while their stream is open (docs/guides/operations.md).
 *
 * @returns One line for each problem.
 */
export async function checkPageCalls(options: {
  /** Origin of the site's pages. */
  readonly site: string;
  /** Id of a registered app. */
  readonly app: string;
  readonly document: string;
  /** `name=value` of a signed-in member. Absent: events are not checked. */
  readonly cookie?: string | undefined;
  /** Time for the first event, which the site sends at once. */
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

  async function pageProblems(): Promise<string[]> {
    const pages = await Promise.all(['/', '/account/sign-in'].map((path) => ask(path)));
    const [html = ''] = await Promise.all(pages.map((page) => page.text()));
    const cookies = pages.flatMap(({ headers }) => headers.getSetCookie().flatMap(cookieProblem));
    const policy = pages[0]?.headers.get('Content-Security-Policy') ?? null;
    return [
      ...new Set(cookies),
      ...policyProblems(policy, { site, document }),
      ...containerProblems(policy, { site, html }),
    ];
  }

  async function callProblems(): Promise<string[]> {
    const answer = await send('/gantry/instances', [{ app }]);
    if (answer.status === 421) return [await hostProblem(site, answer)];
    if (answer.status !== 200) {
      const { error } = (await answer.json().catch(() => ({}))) as { readonly error?: { readonly message?: string } };
      return [`Calls of pages are answered ${answer.status}: ${error?.message ?? 'not by Gantry.'}`];
    }
    const [gadget] = (await answer.json()) as readonly InstanceAnswer[];
    if (cookie === undefined || gadget === undefined) return [];
    return 'ok' in gadget ? eventProblems(gadget.ok) : [`${app} is refused: ${gadget.error.message}`];
  }

  async function eventProblems({ instance, token, since }: Instance): Promise<string[]> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), patienceMs);
    try {
      const stream = await send('/gantry/events', { tokens: { [instance]: token }, since: [since ?? ''] }, over.signal);
      if (stream.status === 401)
        return ['GANTRY_CHECK_COOKIE names no signed-in member: copy it again from a browser.'];
      if (stream.status !== 200)
        return [`/gantry/events is answered ${stream.status}: pages receive no changes of other members.`];
      await stream.body?.getReader().read();
      return [];
    } catch (error) {
      if (!over.signal.aborted) throw error;
      return [
        `No event arrives within ${patienceMs / 1_000} s: a proxy buffers the stream. Turn off buffering and compression for /gantry/events.`,
      ];
    } finally {
      clearTimeout(timer);
      over.abort();
    }
  }

  try {
    return [...(await pageProblems()), ...(await callProblems())];
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } };
    return [`${site} cannot be reached (${cause?.code ?? name}).`];
  }
}

// Chromium treats a cookie without SameSite as Lax; others send it from other sites' pages.
function cookieProblem(line: string): string[] {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const keepsToSite = attributes.some((attribute) => /^samesite=(lax|strict)$/i.test(attribute));
  const name = pair.split('=')[0];
  return keepsToSite
    ? []
    : [
        `The cookie ${name} is set without SameSite=Lax or Strict: browsers send it with requests of other sites' pages.`,
      ];
}
