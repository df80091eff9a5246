import type { ErrorEnvelope, SocialError } from '@gantry/wire';

/** An error as REST answers it: number and text, without the word that apps get beside them (contract §4). */
export function errorEnvelope(error: SocialError): ErrorEnvelope {
  return { error: { code: error.status, message: error.message } };
}
