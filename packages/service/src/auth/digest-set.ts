export const digestBytes = 16;
const words = digestBytes / 4;

/**
 * Set of 128-bit digests in one typed array: 32 bytes an entry and no work for the garbage
 * collector. A `Set` of a million strings takes three times as much and is walked at each
 * collection.
 */
export class DigestSet {
  #slots = new Uint32Array(1024 * words);
  #size = 0;
  readonly #odd: number;

  /** @param salt 32 random bits, so that chosen nonces cannot be made to collide. */
  constructor(salt: number) {
    this.#odd = (salt | 1) >>> 0;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds the digest at `offset`. @returns False if it was present. */
  add(bytes: Buffer, offset: number): boolean {
    if (this.#size * 2 >= this.#slots.length / words) this.#grow();
    return this.#place(
      bytes.readUInt32LE(offset),
      bytes.readUInt32LE(offset + 4),
      bytes.readUInt32LE(offset + 8),
      bytes.readUInt32LE(offset + 12),
    );
  }

  #place(a: number, b: number, c: number, d: number): boolean {
    const slots = this.#slots;
    const mask = slots.length / words - 1;
    let slot = (Math.imul(a ^ b, this.#odd) >>> 7) & mask;
    for (;;) {
      const at = slot * words;
      const [x, y, z, w] = [slots[at], slots[at + 1], slots[at + 2], slots[at + 3]];
      if (x === a && y === b && z === c && w === d) return false;
      // All zero marks a free slot; a digest is all zero once in 2^128.
      if (x === 0 && y === 0 && z === 0 && w === 0) {
        slots[at] = a;
        slots[at + 1] = b;
        slots[at + 2] = c;
        slots[at + 3] = d;
        this.#size += 1;
        return true;
      }
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#size = 0;
    for (let at = 0; at < old.length; at += words) {
      const [a, b, c, d] = [old[at], old[at + 1], old[at + 2], old[at + 3]] as [number, number, number, number];
      if (a !== 0 || b !== 0 || c !== 0 || d !== 0) this.#place(a, b, c, d);
    }
  }
}
