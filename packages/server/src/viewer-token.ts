import { createSecretKey } from 'node:crypto';
import { readCookie, type Viewer } from '@gantry/service';
import { isId } from '@gantry/wire';
import { errors, type JWTPayload, jwtVerify } from 'jose';

export interface ViewerTokenOptions {
  /** Shared with the site's pages: at least 32 bytes. */
  readonly key: Uint8Array;
  /** Origin of the site, for which the tokens are made. */
  readonly site: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Gets a line that says why a token was refused, at most once a minute for each reason. */
  readonly log?: { warn(fields: { readonly reason: string }, line: string): void };
  /** Gets the claims of each token that is right, and makes its member known. Absent: a token says who is signed in only. */
  readonly introduce?: (payload: JWTPayload) => Promise<void>;
}

/** Why a token names nobody. A fixed list: what a client wrote is not logged (security rule 8). */
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
/** What the clocks of two machines may differ. */
const skewS = 10;
/** One line a minute tells a site what is wrong; anyone can send tokens without end. */
const quietMs = 60_000;

/**
 * Makes a viewer function for sites in any language: their pages say who is signed in with a JWT (HS256; `sub` the member,
 * `aud` the site, `exp` within five minutes). It comes as `Authorization: Bearer`, else in the cookie `__Host-gantry_viewer`; on
 * a site without https that is `gantry_viewer`. A token that is not right names nobody, and the log says why.
 *
 * @throws Error in one line for a key of less than 32 bytes.
 */
export function createTokenViewer({ key, site, now = Date.now, log, introduce }: ViewerTokenOptions): Viewer {
  if (key.byteLength < 32) throw new Error(`A viewer key needs 32 or more bytes; this one has ${key.byteLength}.`);
  const secret = createSecretKey(key);
  const cookie = site.startsWith('https:') ? '__Host-gantry_viewer' : 'gantry_viewer';

  const saidAtMs = new Map<TokenRefusal, number>();

  function refused(reason: TokenRefusal): undefined {
    const nowMs = now();
    if (nowMs - (saidAtMs.get(reason) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    saidAtMs.set(reason, nowMs);
    log?.warn({ reason }, `A viewer token was refused: ${reason}. Its sender is treated as signed out.`);
  }

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
      if (Number(payload.exp) > now() / 1000 + lifetimeS + skewS) return refused('valid for too long');
      if (typeof payload.sub !== 'string' || !isId(payload.sub)) return refused('claim missing or wrong');
      await introduce?.(payload);
      return payload.sub;
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
