/** Grows with time, so that of two things made in one second the later has the higher id; the rest is random. */
export function newId(nowMs: number, random: (bytes: number) => Uint8Array): string {
  const number = Buffer.from(random(6)).readUIntBE(0, 6) % 1e9;
  return `${String(nowMs).padStart(13, '0')}${String(number).padStart(9, '0')}`;
}
