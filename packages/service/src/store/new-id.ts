/** Returns an id that grows with time, so that later things sort higher, and ends randomly. */
export function newId(nowMs: number, random: (bytes: number) => Uint8Array): string {
  const number = Buffer.from(random(6)).readUIntBE(0, 6) % 1e9;
  return `${String(nowMs).padStart(13, '0')}${String(number).padStart(9, '0')}`;
}
