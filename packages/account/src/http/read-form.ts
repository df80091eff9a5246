import { bounds, maxBodyBytes, SocialError } from '@gantry/wire';
import { readBytes } from '@gantry/wire/runtime';
import type { Texts } from '../messages/texts.ts';

const formType = 'application/x-www-form-urlencoded';

/**
 * Reads the fields of a posted form. Their number is checked before they are parsed.
 *
 * @throws SocialError UNSUPPORTED_MEDIA_TYPE, TOO_LARGE, BAD_REQUEST, with texts for the member.
 */
export async function readForm(request: Request, texts: Texts): Promise<URLSearchParams> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== formType) {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', texts.say('form.type', { type: formType }));
  }
  const isTooLarge = Number(request.headers.get('content-length') ?? 0) > maxBodyBytes;
  const body = isTooLarge ? undefined : await readBytes(request.body, maxBodyBytes);
  if (body === undefined) throw new SocialError('TOO_LARGE', texts.say('form.tooLarge'));
  const text = Buffer.from(body).toString('utf8');
  if (text.split('&', bounds.parameters + 1).length > bounds.parameters) {
    throw new SocialError('BAD_REQUEST', texts.say('form.fields', { count: bounds.parameters }));
  }
  return new URLSearchParams(text);
}
