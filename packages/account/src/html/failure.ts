import { isImageFault, maxFrames, maxPixels, maxSide, maxWholePixels } from '@gantry/service/account';
import { type ErrorCode, type HttpResponse, SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import { en, type TextKey } from '../messages/en.ts';
import type { Texts } from '../messages/texts.ts';
import type { PageRequest } from '../request/page-request.ts';
import { messagePage } from './account-page.ts';
import { languageHeaders } from './layout.ts';

/** Request that failed, as far as it was read: `settings` may be missing. */
type FailedRequest = Pick<PageRequest, 'texts'> & Partial<Pick<PageRequest, 'settings'>>;

/** Returns the message of a failure in the member's language. */
export function failureText(error: SocialError, { texts, settings }: FailedRequest): string {
  const fault = error.problem;
  if (!isImageFault(fault) || !settings) return codeText(error, texts);
  if (fault === 'image_too_large') return texts.say(fault, { megabytes: settings.photoMegabytes });
  if (fault === 'image_too_many_pixels') return texts.say(fault, { millions: maxPixels / 1e6 });
  if (fault === 'image_too_many_whole_pixels') return texts.say(fault, { millions: maxWholePixels / 1e6 });
  if (fault === 'image_too_long') return texts.say(fault, { side: maxSide });
  if (fault === 'image_too_many_frames') return texts.say(fault, { frames: maxFrames });
  return texts.say(fault);
}

/** Returns the message of a failure that has no word of its own. */
function codeText({ code, message }: SocialError, texts: Texts): string {
  const key = `failureText.${code}`;
  return isFailureText(key) ? texts.say(key) : message;
}

export async function failurePage(request: PageRequest, error: SocialError): Promise<HttpResponse> {
  const title = titleOf(error, request.texts);
  const text = failureText(error, request);
  const answer = await messagePage(request, { status: error.status, title, text });
  return { ...answer, headers: { ...answer.headers, ...failureHeaders(error) } };
}

/** Renders a failure before the site's settings were read, so that no page can be made. */
export function plainFailure(error: SocialError, texts: Texts): HttpResponse {
  const body = `${titleOf(error, texts)}. ${codeText(error, texts)}`;
  return failure(error, texts, { type: 'text/plain', body });
}

/** Renders a failure as JSON for the upload script, which shows its message. */
export function jsonFailure(error: SocialError, request: FailedRequest): HttpResponse {
  const { code, retryAfter } = error;
  const { texts } = request;
  const answer = new SocialError(code, failureText(error, request), retryAfter === undefined ? {} : { retryAfter });
  return failure(error, texts, { type: 'application/json', body: JSON.stringify({ error: answer.toWire() }) });
}

function failure(error: SocialError, texts: Texts, { type, body }: { type: string; body: string }): HttpResponse {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' };
  return { status: error.status, headers: { ...languageHeaders(texts), ...headers, ...failureHeaders(error) }, body };
}

/** Explains that a form's page was opened before somebody signed in or out, or half a day ago. */
export function stalePage(request: PageRequest, form: URLSearchParams): Promise<HttpResponse> {
  const { texts, path } = request;
  const token = form.get('oauth_token');
  const address = token === null ? path : `${path}?${new URLSearchParams({ oauth_token: token })}`;
  return messagePage(request, {
    status: 403,
    title: texts.say('stale.title'),
    text: texts.say('stale.text'),
    action: html`<a class="button" href="${address}">${texts.say('stale.open')}</a>`,
  });
}

function titleOf({ code }: { readonly code: ErrorCode }, texts: Texts): string {
  const key = `failure.${code}`;
  return texts.say(isTitle(key) ? key : 'failure.unknown');
}

const isFailureText = (key: string): key is Extract<TextKey, `failureText.${string}`> => Object.hasOwn(en, key);
const isTitle = (key: string): key is Extract<TextKey, `failure.${string}`> => Object.hasOwn(en, key);

function failureHeaders({ retryAfter, allow }: Pick<SocialError, 'retryAfter' | 'allow'>): Record<string, string> {
  return {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(allow && { allow: allow.join(', ') }),
  };
}
