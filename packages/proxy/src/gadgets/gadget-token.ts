import { createSecretKey } from 'node:crypto';
import type { Asker, PageViewer } from '@gantry/wire';
import type { Logger } from '@gantry/wire/runtime';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';

/** A key for gadget tokens. To rotate, put the new one first; drop the old one 10 minutes later. */
export interface TokenKey {
  readonly id: string;
  /** At least 32 bytes. */
  readonly key: Uint8Array;
}

/** The contents of a gadget token: the app, the members and the instance that it speaks for. */
export interface GadgetClaims extends Asker {
  /** Tells the viewer from earlier members with the id. */
  readonly epoch?: PageViewer['epoch'];
  readonly instance: string;
  /** Registration that the token was issued for, and so not valid for a replacement. */
  readonly registration: string;
  /** Digest of the version that the instance runs. Absent for a live folder and a remote app. */
  readonly version?: string | undefined;
  /** Not accepted: it has nothing that the live version does not declare. */
  readonly isLimited?: boolean | undefined;
  /** Digest of the version that the member may see before it is live. */
  readonly preview?: string | undefined;
}

export type TokenCheck = { readonly claims: GadgetClaims } | { readonly refused: 'expired' | 'invalid' };

/** Issuer and verifier of gadget tokens (security rule 9). */
export type GadgetTokens = ReturnType<typeof createGadgetTokens>;

export const lifetimeSeconds = 600;
const algorithm = 'HS256';
const type = 'gadget+jwt'; // other JWTs of the site are no gadget tokens

const payloadSchema = v.object({
  app: v.string(),
  viewer: v.optional(v.string()),
  epoch: v.optional(v.string()),
  owner: v.optional(v.string()),
  instance: v.string(),
  registration: v.optional(v.string(), ''), // absent for an app from 0.1
  version: v.optional(v.string()),
  isLimited: v.optional(v.boolean()),
  preview: v.optional(v.string()),
});

/**
 * Makes the tokens of one site.
 *
 * @param options.container Origin of the pages that the tokens are for.
 * @param options.readKeys Reads the keys again: for a token with an unknown key id, and at most
 * every 10 s before one is issued.
 * @throws Error in one line for no key, or one without a unique id or with less than 32 bytes.
 */
export function createGadgetTokens(options: {
  readonly keys: readonly TokenKey[];
  readonly readKeys?: (() => Promise<readonly TokenKey[]>) | undefined;
  readonly container: string;
  readonly now: () => number;
  readonly log?: Pick<Logger, 'warn'> | undefined;
}) {
  const { keys, readKeys, container, now, log } = options;
  let ring = ringOf(keys);
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let isWarned = false;
  // A page sends the same token with every call: it is verified once.
  const verified = new LRUCache<string, { readonly claims: GadgetClaims; readonly expiresAt: number }>({ max: 10_000 });
  const audience = `${container}/gantry/calls`;
  const requirements = { algorithms: [algorithm], typ: type, audience, requiredClaims: ['iat', 'exp'] };

  /** Reads the keys again if they were last read more than `afterMs` ago. */
  async function refresh(afterMs: number): Promise<void> {
    if (!readKeys || (!reading && now() - readAtMs < afterMs)) return;
    readAtMs = now();
    reading ??= read(readKeys).finally(() => {
      reading = undefined;
    });
    await reading;
  }

  async function read(readKeys: () => Promise<readonly TokenKey[]>): Promise<void> {
    try {
      const read = ringOf(await readKeys());
      isWarned = false;
      if ([...read.secrets.keys()].join() === [...ring.secrets.keys()].join()) return;
      ring = read;
      verified.clear(); // tokens of a dropped key are invalid
    } catch (error) {
      if (isWarned) return;
      isWarned = true;
      log?.warn(
        { err: error },
        'The keys of gadget tokens cannot be read again: this process goes on with those it has.',
      );
    }
  }

  return {
    async issue({ registration, ...claims }: GadgetClaims): Promise<string> {
      await refresh(10_000);
      const { first, secrets } = ring;
      const issuedAt = Math.floor(now() / 1000);
      return new SignJWT({ ...claims, registration: registration || undefined, container })
        .setProtectedHeader({ alg: algorithm, kid: first, typ: type })
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(secrets.get(first) as Parameters<SignJWT['sign']>[0]);
    },
    async check(token: string): Promise<TokenCheck> {
      const last = verified.get(token);
      if (last) return Math.floor(now() / 1000) < last.expiresAt ? { claims: last.claims } : { refused: 'expired' };
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid = '' }) => {
            if (!ring.secrets.has(kid)) await refresh(1_000);
            const secret = ring.secrets.get(kid);
            if (secret === undefined) throw new errors.JWSSignatureVerificationFailed();
            return secret;
          },
          { ...requirements, currentDate: new Date(now()) },
        );
        if (payload.container !== container) return { refused: 'invalid' };
        const claims = v.parse(payloadSchema, payload);
        verified.set(token, { claims, expiresAt: Number(payload.exp) });
        return { claims };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return { refused: 'expired' };
        if (error instanceof errors.JOSEError || error instanceof v.ValiError) return { refused: 'invalid' };
        throw error;
      }
    },
  };
}

/** Returns the id of the key that signs, and all keys by id. */
function ringOf(keys: readonly TokenKey[]) {
  const secrets = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  const [first] = keys;
  if (first === undefined) throw new Error('Gadget tokens need at least one key.');
  if (secrets.size < keys.length || secrets.has(''))
    throw new Error('Every key for gadget tokens needs an id of its own.');
  const short = keys.find(({ key }) => key.byteLength < 32);
  if (short)
    throw new Error(`The key ${short.id} for gadget tokens has ${short.key.byteLength} bytes; it needs 32 or more.`);
  return { first: first.id, secrets };
}
