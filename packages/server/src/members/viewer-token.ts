import { createSecretKey } from 'node:crypto';
import { readCookie, type SignIn, siteCookieName } from '@gantry/account';
import { isId } from '@gantry/wire';
import type { Logger } from '@gantry/wire/runtime';
import { errors, type JWTPayload, jwtVerify } from 'jose';

export interface ViewerTokenOptions {
  /** Shared with the site's pages: at least 32 bytes. */
  readonly key: Uint8Array;
  /** Origin of the site, the tokens' audience. */
  readonly site: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Receives the reason for which a token was refused, at most once a minute for each reason. */
  readonly log?: Pick<Logger, 'warn'>;
  /** Saves the member of a valid token. Absent: tokens only say who is signed in. */
  readonly saveMember?: (payload: JWTPayload) => Promise<void>;
}

/** Resolves with the sign-in that a request's token states. */
export type TokenViewer = (request: Request) => Promise<SignIn | undefined>;

/** Reason for refusing a token. A fixed list: text from clients is not logged (security rule 8). */
type TokenRefusal =
  | 'malformed'
  | 'algorithm'
  | 'signature'
  | 'audience'
  | 'expired'
  | 'not valid yet'
  | 'valid for too long'
  | 'claim missing or wrong';

const lifetimeS = 300;
/** Tolerated difference between the clocks of two machines. */
const skewS = 10;
/** One line a minute is enough: anyone can send tokens without end. */
const quietMs = 60_000;

/**
 * Makes a viewer function for sites in any language, whose pages name the signed-in member in a JWT
 * (HS256; `sub` the member, `aud` the site, `exp` within five minutes). It is sent as
 * `Authorization: Bearer`, else in the cookie `__Host-gantry_viewer`, or `gantry_viewer` on a site
 * without https, with `_<port>` where the site's address has one; without it, as before, too. An
 * invalid token names no member, and the log says why.
 *
 * @throws Error in one sentence for a key of less than 32 bytes.
 */
export function createTokenViewer({ key, site, now = Date.now, log, saveMember }: ViewerTokenOptions): TokenViewer {
  if (key.byteLength < 32) throw new Error(`A viewer key needs 32 or more bytes; this one has ${key.byteLength}.`);
  const secret = createSecretKey(key);
  const cookie = siteCookieName(site, 'gantry_viewer');
  const withoutPort = cookie.replace(/_\d+$/, ''); // for older pages

  const loggedAtMs = new Map<TokenRefusal, number>();

  function refused(reason: TokenRefusal): undefined {
    const nowMs = now();
    if (nowMs - (loggedAtMs.get(reason) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    loggedAtMs.set(reason, nowMs);
    log?.warn({ reason }, `A viewer token was refused: ${reason}. Its sender is treated as signed out.`);
  }

  return async function viewer({ headers }) {
    const [, bearer] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    const cookies = headers.get('cookie');
    const token = bearer ?? readCookie(cookies, cookie) ?? readCookie(cookies, withoutPort);
    if (!token) return undefined;
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        audience: site,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: skewS,
        currentDate: new Date(now()),
      });
      if (Number(payload.exp) > now() / 1000 + lifetimeS + skewS) return refused('valid for too long');
      if (typeof payload.sub !== 'string' || !isId(payload.sub)) return refused('claim missing or wrong');
      await saveMember?.(payload);
      const { sub: id, exp = 0, iat } = payload;
      return { id, signedAtMs: 1_000 * (typeof iat === 'number' ? iat : exp - lifetimeS) }; // without iat, the earliest
    } catch (error) {
      if (error instanceof errors.JOSEError) return refused(reasonOf(error));
      throw error;
    }
  };
}

function reasonOf(error: errors.JOSEError): TokenRefusal {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'malformed';
  if (error.claim === 'aud') return 'audience';
  return error.claim === 'nbf' ? 'not valid yet' : 'claim missing or wrong';
}
