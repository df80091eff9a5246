import { SocialError } from '@gantry/wire';
import type { Answer } from './exchange.ts';

/** Where apps find the public key of the site (contract §1). */
export const certificatePath = '/opensocial/certificates';

/** Answers with the site's public key, in PEM. @throws SocialError METHOD_NOT_ALLOWED; NOT_FOUND for a site without one. */
export function certificateAnswer(method: string, publicKey: string | undefined): Answer {
  if (publicKey === undefined) throw new SocialError('NOT_FOUND', 'This site has no key.');
  if (method !== 'GET' && method !== 'HEAD') {
    throw new SocialError('METHOD_NOT_ALLOWED', 'The public key can only be read.', { allow: ['GET', 'HEAD'] });
  }
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/x-pem-file',
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
    },
    body: method === 'HEAD' ? null : publicKey,
  };
}
