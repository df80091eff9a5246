/**
 * Returns an id that grows with time, so that later things sort higher, and ends randomly.
 *
 * @example
 * newId(1, (bytes) => new Uint8Array(bytes)); // '0000000000001000000000'
 */
export function newId(nowMs: number, random: (bytes: number) => Uint8Array): string {
  const number = Buffer.from(random(6)).readUIntBE(0, 6) % 1e9;
  return `${String(nowMs).padStart(13, '0')}${String(number).padStart(9, '0')}`;
}
