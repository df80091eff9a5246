import { createHmac } from 'node:crypto';

/** Key that a site's pages and Gantry share. */
export const viewerKey = 'a key that site and Gantry share, 32+';

/** Makes the token by which a page of `site` names its member, as software in any language does. */
export function viewerToken(member: string, site: string): string {
  const claims = { sub: member, aud: site, exp: Math.floor(Date.now() / 1000) + 240 };
  const unsigned = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${unsigned}.${createHmac('sha256', viewerKey).update(unsigned).digest('base64url')}`;
}
