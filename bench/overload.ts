import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchSite, friendsUrl, signed } from './site.ts';

const secondsOfCapacity = 3;
const secondsOfOverload = 8;
const times = 3;
/** More requests than a server handles in a second. */
const mostASecond = 5_000;
/** Milliseconds that a client waits for its response. */
const patienceMs = 20_000;

interface Outcome {
  /** 0 without a whole response. */
  readonly status: number;
  readonly ms: number;
  readonly endedAtMs: number;
}

/**
 * Sends three times the server's capacity, each request on its own connection and without waiting
 * for earlier ones. Prints the latency of those that are served.
 */
export async function measureOverload(): Promise<void> {
  const server = fork(new URL('overload-process.ts', import.meta.url));
  try {
    const [site] = (await once(server, 'message')) as [Pick<BenchSite, 'url' | 'consumer'>];
    await saturate(site, 1); // warm
    const capacity = await saturate(site, secondsOfCapacity);
    const startMs = performance.now();
    const outcomes = await overload(site, times * capacity);
    const served = outcomes.filter(({ status }) => status === 200);
    const refused = outcomes.filter(({ status }) => status === 503);
    const inTime = served.filter(({ endedAtMs }) => endedAtMs - startMs < secondsOfOverload * 1000).length;
    const rate = (count: number) => Math.round(count / secondsOfOverload);
    console.log(
      [
        `${times} × overload with new connections: ${rate(outcomes.length)} a second for ${secondsOfOverload} s; without overload ${Math.round(capacity)} are answered`,
        `  served   ${rate(inTime)} a second (${Math.round((100 * inTime) / secondsOfOverload / capacity)} %) and ${served.length - inTime} later; ${percentiles(served)}`,
        `  refused  ${refused.length}; ${percentiles(refused)}`,
        `  without an answer in ${patienceMs / 1000} s  ${outcomes.length - served.length - refused.length}`,
      ].join('\n'),
    );
  } finally {
    server.disconnect();
    await once(server, 'exit');
  }
}

/** Returns requests per second of just enough waiting clients to keep the server busy. */
async function saturate(site: Pick<BenchSite, 'url' | 'consumer'>, seconds: number): Promise<number> {
  const headers = Array.from({ length: seconds * mostASecond }, () => authorizationFor(site));
  const endAtMs = performance.now() + seconds * 1000;
  let answered = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < endAtMs) {
      const { status } = await ask(site, headers.pop() ?? '');
      if (status === 200) answered++;
    }
  };
  await Promise.all(Array.from({ length: 64 }, client));
  return answered / seconds;
}

async function overload(site: Pick<BenchSite, 'url' | 'consumer'>, rate: number): Promise<Outcome[]> {
  const total = Math.round(rate * secondsOfOverload);
  const headers = Array.from({ length: total }, () => authorizationFor(site));
  const outcomes: Promise<Outcome>[] = [];
  for (const startMs = performance.now(); outcomes.length < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * rate));
    while (outcomes.length < due) outcomes.push(ask(site, headers[outcomes.length] as string));
    await pause(2);
  }
  return Promise.all(outcomes);
}

function authorizationFor({ url, consumer }: Pick<BenchSite, 'url' | 'consumer'>): string {
  return signed(url, consumer).Authorization ?? '';
}

/** Sends one request on a connection of its own. */
function ask({ url }: Pick<BenchSite, 'url'>, authorization: string): Promise<Outcome> {
  const { hostname, port, host } = new URL(url);
  const startMs = performance.now();
  const target = friendsUrl(url).slice(url.length);
  const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
  );
  let text = '';
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      const endedAtMs = performance.now();
      resolve({ status: Number(text.slice(9, 12)), ms: endedAtMs - startMs, endedAtMs });
    });
  });
}

function percentiles(outcomes: readonly Outcome[]): string {
  const sorted = outcomes.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
