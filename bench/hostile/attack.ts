import { connect } from 'node:net';
import { lingerMs } from '../../packages/server/src/edge/refusals.ts';
import type { Attack } from './heads.ts';

/** All responses of one connection before it closed. */
export interface Outcome {
  readonly statuses: readonly number[];
  readonly text: string;
  readonly ms: number;
  /** The server closed while the attack was still being sent. */
  readonly isReset?: boolean;
}

const patienceMs = 60_000;

/** Sends an attack on a connection of its own and reads until the server closes it. */
export function send({ parts, ending = 'wait' }: Attack, port: number): Promise<Outcome> {
  const startedAtMs = performance.now();
  const chunks: Buffer[] = [];
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let isReset = false;

  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {
      isReset = true;
    });
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ statuses, text, ms: performance.now() - startedAtMs, isReset });
    });
    socket.on('connect', async () => {
      for (const part of parts) {
        socket.write(part);
        await new Promise(setImmediate);
      }
      if (ending === 'half-close') socket.end();
      if (ending === 'leave') socket.destroy();
    });
  });
}

/** Returns a fault in how the server handled an attack, if there is one. */
export function finding(
  { name, allowed, ending }: Attack,
  { statuses, text, ms, isReset = false }: Outcome,
): string | undefined {
  const say = (what: string) => `${name}: ${what} (${statuses.join(' ') || 'no answer'}) ${text.slice(0, 300)}`;
  if (ms >= patienceMs) return say('the connection was left open');
  if (/\bat [^\n]*\.(ts|js|mjs):\d+|node_modules|SQLITE|sqlite|PostgreSQL/.test(text))
    return say('the answer shows our inside');
  if (allowed) {
    const isLate = isReset && ms >= lingerMs; // a reset after the refusal's wait takes the answer away
    if (statuses.length === 0)
      return allowed.includes('none') || ending === 'leave' || isLate ? undefined : say('nothing was answered');
    // The first response is judged; later ones are to the bytes that the attack left behind.
    const wrong = statuses.find((status, index) => (index === 0 ? !isAllowed(status, allowed) : isFault(status)));
    if (wrong !== undefined) return say(`${wrong} is no right answer`);
  } else if (statuses.some((status) => isFault(status) || status < 300)) return say('it was not refused');
  return tooSoonOnly(text, statuses) ? undefined : say('500 for something other than the interval');
}

// Anything can time out on a busy machine.
const isAllowed = (status: number, allowed: readonly unknown[]): boolean => status === 408 || allowed.includes(status);

const isFault = (status: number): boolean => status >= 500 && status !== 501;

/** A 500 is right for a post within the minimum interval; it carries Retry-After (contract §4). */
function tooSoonOnly(text: string, statuses: readonly number[]): boolean {
  return !statuses.includes(500) || /^Retry-After: \d+\r?$/im.test(text);
}
