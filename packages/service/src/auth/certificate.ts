import { type HttpResponse, SocialError } from '@gantry/wire';
import { refuseWrite } from '../http/answer.ts';

/** Path of the site's public key (contract §1). */
export const certificatePath = '/opensocial/certificates';

/** Answers with the site's public key, in PEM. @throws SocialError NOT_FOUND, METHOD_NOT_ALLOWED */
export function certificateAnswer(method: string, publicKey: string | undefined): HttpResponse {
  if (publicKey === undefined) throw new SocialError('NOT_FOUND', 'This site has no key.');
  refuseWrite(method, 'The public key can only be read.');
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
