import { SocialError } from '@gantry/wire';
import * as v from 'valibot';
import type { PageRequest } from './page-request.ts';
import { parseBody } from './parse-body.ts';
import { issueMessage } from './validate.ts';

/**
 * Refuses requests that no page of the site itself sent (security rule 10). A cross-site page, an
 * app's frame or a plain form can send the member's cookies, but not our header, our content type
 * and our origin together.
 *
 * @throws SocialError MISDIRECTED, METHOD_NOT_ALLOWED, FORBIDDEN or UNSUPPORTED_MEDIA_TYPE.
 */
export function requireOwnPage({ method, host, header }: PageRequest, siteOrigin: string): void {
  // Host only: behind a reverse proxy the scheme differs from the site's.
  if (host !== siteOrigin.slice(siteOrigin.indexOf('://') + 3)) {
    throw new SocialError('MISDIRECTED', `Gadget calls are answered at ${siteOrigin} only.`);
  }
  if (method !== 'POST') throw new SocialError('METHOD_NOT_ALLOWED', 'Use POST.', { allow: ['POST'] });
  if (!isSameOrigin(header, siteOrigin)) {
    throw new SocialError('FORBIDDEN', `Only pages of ${siteOrigin} may call this address.`);
  }
  if (header('gantry-container') !== '1') {
    throw new SocialError('FORBIDDEN', 'The header Gantry-Container: 1 is missing.');
  }
  if (!/^application\/json(;\s*charset="?utf-8"?)?$/i.test(header('content-type') ?? '')) {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: Content-Type: application/json.');
  }
}

function isSameOrigin(header: PageRequest['header'], siteOrigin: string): boolean {
  const origin = header('origin');
  const site = header('sec-fetch-site');
  if (origin === undefined) return site === 'same-origin';
  return origin === siteOrigin && (site ?? 'same-origin') === 'same-origin';
}

/**
 * Reads and validates the body.
 *
 * @throws SocialError TOO_LARGE over 1 MiB, BAD_REQUEST unless it is valid. The message names the
 * first wrong member, but never quotes its value, which may be a token.
 */
export async function readBody<Schema extends v.GenericSchema>(
  page: PageRequest,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, await readJson(page), { abortEarly: true });
  if (result.success) return result.output;
  throw new SocialError('BAD_REQUEST', `The body: ${issueMessage(result.issues[0])}`);
}

async function readJson(page: PageRequest): Promise<unknown> {
  const bytes = await page.body();
  if (bytes === undefined) throw new SocialError('TOO_LARGE', 'The body is larger than 1 MiB.');
  return parseBody(bytes);
}
