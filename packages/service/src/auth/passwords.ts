import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createGate } from '@gantry/wire/runtime';

/** Hashes and checks passwords, few at a time: each takes a quarter of a second and 32 MiB. */
export interface Passwords {
  /** Most that are hashed or checked at the same time; the rest wait. */
  readonly atOnce: number;
  hash(password: string): Promise<string>;
  /** Resolves with true if `stored` is of this password. Without `stored` it takes as long. */
  matches(stored: string | undefined, password: string): Promise<boolean>;
  /** True for a hash of another cost than new ones have. */
  isOutdated(stored: string): boolean;
}

/** Resolves when one more hash may be computed, with the function to call once it is. */
export type HashPermit = () => Promise<() => void>;

export interface Cost {
  /** Logarithm of N: memory is 128 · r · N bytes. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

// One of the equal choices of OWASP's password storage cheat sheet: 32 MiB, three times.
const today: Cost = { logN: 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;

/** Characters of a member's password. Longer ones would only cost time. */
export const passwordLength = { least: 8, most: 200 } as const;

/** Returns the fault of a new password as a sentence; `undefined` if it has none. */
export function passwordProblem(password: string): string | undefined {
  const { length } = [...password];
  if (length < passwordLength.least) return `A password has at least ${passwordLength.least} characters.`;
  if (length > passwordLength.most) return `A password has at most ${passwordLength.most} characters.`;
  return undefined;
}

// Node computes hashes on the four threads that also read files: two are left for those.
const mostOfOneProcess = 2;

/** Hashes that all processes on a machine compute at once: half of its processors, at least one. */
export function hashesAtOnce(processors: number = availableParallelism()): number {
  return Math.max(1, Math.floor(processors / 2));
}

export interface PasswordOptions {
  /** Cost of new hashes. Default: the one of today. */
  readonly cost?: Cost;
  /** Default: half of the processors, at least one and at most two. */
  readonly atOnce?: number;
  /** Shares the processors with other processes. Absent: there are none. */
  readonly permit?: HashPermit | undefined;
  readonly random?: (bytes: number) => Uint8Array;
}

/** Makes the functions that hash and check passwords with scrypt, a few at a time. */
export function createPasswords(options: PasswordOptions = {}): Passwords {
  const { cost: own = today, atOnce = Math.min(hashesAtOnce(), mostOfOneProcess) } = options;
  const { permit, random = randomBytes } = options;
  const gate = createGate({ atOnce }); // callers bound how many wait
  const decoy = { cost: own, salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes) };

  function derived(password: string, salt: Uint8Array, cost: Cost): Promise<Buffer> {
    return gate(async () => {
      const done = await permit?.();
      try {
        return await derive(password, salt, cost);
      } finally {
        done?.();
      }
    });
  }

  return {
    atOnce,
    async hash(password) {
      const salt = Buffer.from(random(saltBytes));
      const hash = await derived(password, salt, own);
      return ['scrypt', own.logN, own.r, own.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    async matches(stored, password) {
      const { cost, salt, hash } = stored === undefined ? decoy : parse(stored);
      const derivedKey = await derived(password, salt, cost);
      return timingSafeEqual(derivedKey, hash) && stored !== undefined;
    },
    isOutdated(stored) {
      const { logN, r, p } = parse(stored).cost;
      return logN !== own.logN || r !== own.r || p !== own.p;
    },
  };
}

function parse(stored: string): { readonly cost: Cost; readonly salt: Buffer; readonly hash: Buffer } {
  const [, logN, r, p, salt = '', hash = ''] = stored.split('$');
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

// The same characters can be typed as different code points: NFKC, as RFC 8265 asks for passwords,
// is one of them.
function derive(password: string, salt: Uint8Array, { logN, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: 2 * 128 * r * 2 ** logN };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
