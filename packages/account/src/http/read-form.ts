import { countPairs } from '@gantry/oauth';
import { readBody } from '@gantry/service/pages';
import { bounds, SocialError } from '@gantry/wire';
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
  const body = await readBody(request).catch((cause: unknown) => {
    throw cause instanceof SocialError ? new SocialError(cause.code, texts.say('form.tooLarge'), { cause }) : cause;
  });
  if (body === undefined) return new URLSearchParams();
  if (countPairs(body) > bounds.parameters) {
    throw new SocialError('BAD_REQUEST', texts.say('form.fields', { count: bounds.parameters }));
  }
  return new URLSearchParams(Buffer.from(body).toString('utf8'));
}
