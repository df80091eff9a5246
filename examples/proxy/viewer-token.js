import { createHmac } from 'node:crypto';

/**
 * Creates the token that names the signed-in member to Gantry: a JWT of five minutes, signed with
 * the shared key.
 */
export function viewerToken({ member, url, key }) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: member, aud: url, exp: Math.floor(Date.now() / 1000) + 300 };
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}
