export type { Parameter } from './base-string.ts';
export { OAuthError, type OAuthProblem } from './oauth-error.ts';
export { isTimely, type OAuthRequest, parseOAuth } from './oauth-request.ts';
export { countInHeader, countPairs, refuseTooMany } from './parameter-bounds.ts';
export { percentEncode } from './percent-encode.ts';
export { type RsaPublicKey, readRsaPublicKey } from './rsa-public-key.ts';
export { type SigningConsumer, type SigningOptions, signRequest } from './sign-request.ts';
export {
  isBodyHash,
  isSignatureMethod,
  type SignatureMethod,
  signatureMethods,
  type VerificationKey,
  verifySignature,
} from './signature.ts';
export { parseForm, parseTarget, type Target } from './target.ts';
