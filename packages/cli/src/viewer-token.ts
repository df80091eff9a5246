import { createSecretKey } from 'node:crypto';
import { readCookie, type Viewer } from '@gantry/service';
import { isId } from '@gantry/wire';
import { errors, jwtVerify } from 'jose';

export interface ViewerTokenOptions {
  /** Shared with the site's pages: at least 32 bytes. */
  readonly key: Uint8Array;
  /** Origin of the site, for which the tokens are made. */
  readonly site: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const lifetimeS = 300;
/** What the clocks of two machines may differ. */
const skewS = 10;

/**
 * Makes a viewer function for sites in any language: their pages say who is signed in with a JWT (HS256; `sub` the member,
 * `aud` the site, `exp` within five minutes). It comes as `Authorization: Bearer`, else in the cookie `__Host-gantry_viewer`; on
 * a site without https that is `gantry_viewer`. A token that is not right is nobody.
 *
 * @throws Error in one line for a key of less than 32 bytes.
 */
export function createTokenViewer({ key, site, now = Date.now }: ViewerTokenOptions): Viewer {
  if (key.byteLength < 32) throw new Error(`A viewer key needs 32 or more bytes; this one has ${key.byteLength}.`);
  const secret = createSecretKey(key);
  const cookie = site.startsWith('https:') ? '__Host-gantry_viewer' : 'gantry_viewer';

  return async function viewer({ headers }) {
    const [, bearer] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    const token = bearer ?? readCookie(headers.get('cookie'), cookie);
    if (!token) return undefined;
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        audience: site,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: skewS,
        currentDate: new Date(now()),
      });
      const isShort = Number(payload.exp) <= now() / 1000 + lifetimeS + skewS;
      return isShort && typeof payload.sub === 'string' && isId(payload.sub) ? payload.sub : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
}
