export { type Parameter, signatureBaseString } from './base-string.ts';
export { OAuthError, type OAuthProblem } from './oauth-error.ts';
export { isTimely, type OAuthInput, type OAuthRequest, parseOAuth } from './oauth-request.ts';
export { percentEncode } from './percent-encode.ts';
export { type SigningOptions, signRequest } from './sign-request.ts';
export { bodyHash, type SignatureMethod, type SigningKey, verifySignature } from './signature.ts';
export { parseForm, parseTarget, type Target } from './target.ts';
