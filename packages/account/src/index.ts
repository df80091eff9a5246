export { type Account, type AccountOptions, createAccount } from './account.ts';
export { readCookie, siteCookieName } from './http/cookies.ts';
export { clientNetwork } from './http/network.ts';
export { isUpload } from './photos/is-upload.ts';
export type { SignIn, Viewer } from './sign-in/identify.ts';
