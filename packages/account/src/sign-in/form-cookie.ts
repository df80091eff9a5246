import { ownCookie } from '../http/cookies.ts';

const prefix = 'browser/';
const dayS = 24 * 60 * 60;

/**
 * Makes the cookie that binds the sign-in form to one browser while no member is signed in, so that
 * no other site can sign a member in as somebody else. The owner of forms is `browser/` and its
 * value.
 */
export function formCookie(publicUrl: string) {
  const cookie = ownCookie(publicUrl, 'gantry_form');
  return {
    /** Returns the owner that a browser's cookie names, or a new one. */
    ownerOf(request: Request, random: (bytes: number) => Uint8Array): string {
      const value = cookie.read(request.headers.get('cookie'));
      const isOurs = value !== undefined && /^[A-Za-z0-9_-]{22}$/.test(value);
      return prefix + (isOurs ? value : Buffer.from(random(16)).toString('base64url'));
    },
    write: (owner: string): string => cookie.write(owner.slice(prefix.length), dayS),
  };
}
