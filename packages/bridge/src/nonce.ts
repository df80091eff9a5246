import type { Clock } from '@gantry/wire/runtime';
import { systemClock } from './system-clock.ts';

/** Returns 128 random bits as hexadecimal text, which prove that a hello comes from one load. */
export function randomNonce(clock: Pick<Clock, 'bytes'> = systemClock): string {
  const bytes = clock.bytes(16); // not randomUUID: absent on plain-http addresses
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
