import { SocialError } from '@gantry/wire';
import { expect, test } from 'vitest';
import { createBreaker } from '../../src/upstream/breaker.ts';
import { createUpstream, NotSent, type UpstreamAnswer, type UpstreamCall } from '../../src/upstream/upstream.ts';

const read: UpstreamCall = {
  request: { operation: 'people.getSelf', method: 'GET', segments: ['people', '7', '@self'], query: [] },
  consumer: { key: 'ck', secret: 'cs' },
  asker: { app: 'friends', viewer: '7' },
  call: {},
};
const write: UpstreamCall = {
  ...read,
  request: {
    operation: 'appData.update',
    method: 'POST',
    segments: ['appData', '7', '@self', '@app'],
    query: [],
    body: { a: '1' },
  },
};
const fine: UpstreamAnswer = { status: 200, text: '{}' };
const answer = (status: number, retryAfter?: string): UpstreamAnswer => ({ status, text: '', retryAfter });
const reset = new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
const refused = new NotSent('refused');

/** An upstream that answers, or throws, one after the other. */
function open(outcomes: readonly (UpstreamAnswer | Error)[]) {
  const clock = { ms: 0 };
  const nonces: string[] = [];
  const deadlines: number[] = [];
  const pauses: number[] = [];
  const left = [...outcomes];
  let drawn = 0;
  const ask = createUpstream({
    upstream: async ({ headers }, { deadlineMs }) => {
      nonces.push(/oauth_nonce="(\w+)"/.exec(headers.authorization ?? '')?.[1] ?? '');
      deadlines.push(deadlineMs);
      const next = left.shift() ?? fine;
      if (next instanceof Error) throw next;
      return next;
    },
    upstreamUrl: 'http://site.example/rest',
    deadlineMs: 10_000,
    breaker: createBreaker(() => clock.ms),
    now: () => clock.ms,
    random: (bytes) => new Uint8Array(bytes).fill(++drawn),
    pause: async (ms) => {
      pauses.push(ms);
      clock.ms += ms;
    },
  });
  return { ask, clock, nonces, pauses, deadlines };
}

test.each([
  ['a connection that is reset', reset],
  ['a refused connection', refused],
  ['502', answer(502)],
  ['503', answer(503)],
  ['504', answer(504)],
])('a read is asked twice more after %s, each time with a fresh nonce (security rule 15)', async (_, failure) => {
  const { ask, nonces } = open([failure, failure]);
  expect(await ask(read)).toBe(fine);
  expect(new Set(nonces).size).toBe(3);
});

test.each([reset, refused, answer(503)])('and no oftener: the third failure is the answer (%s)', async (failure) => {
  const { ask, nonces } = open([failure, failure, failure]);
  const last = ask(read);
  if (failure instanceof Error) await expect(last).rejects.toBe(failure);
  else expect(await last).toBe(failure);
  expect(nonces).toHaveLength(3);
});

test.each([200, 304, 400, 401, 404, 429, 500, 501])('%i is an answer and not retried', async (status) => {
  const { ask, nonces } = open([answer(status)]);
  expect((await ask(read)).status).toBe(status);
  expect(nonces).toHaveLength(1);
});

test('an answer with Retry-After is not retried', async () => {
  const { ask, nonces } = open([answer(503, '30')]);
  expect((await ask(read)).status).toBe(503);
  expect(nonces).toHaveLength(1);
});

test.each([reset, answer(502), answer(503), answer(504), new SocialError('TIMED_OUT', 'late')])(
  'a write that may have arrived is never sent again (security rule 15: %s)',
  async (failure) => {
    const { ask, nonces } = open([failure]);
    await ask(write).catch(() => {});
    expect(nonces).toHaveLength(1);
  },
);

test('a write that never reached the site is retried', async () => {
  const { ask, nonces } = open([refused]);
  expect(await ask(write)).toBe(fine);
  expect(nonces).toHaveLength(2);
});

test('all attempts share one deadline, and none begins after it (security rule 15)', async () => {
  const { ask, clock, deadlines, nonces } = open([answer(503), answer(503), answer(503)]);
  await ask(read);
  expect(deadlines[0]).toBe(10_000);
  expect(deadlines[1]).toBeLessThan(10_000);
  expect(nonces).toHaveLength(3);

  const late = open([]);
  const slow = createUpstream({
    upstream: async () => {
      late.clock.ms += 9_950;
      late.nonces.push('asked');
      return answer(503);
    },
    upstreamUrl: 'http://site.example/rest',
    deadlineMs: 10_000,
    breaker: createBreaker(() => 0),
    now: () => late.clock.ms,
    random: (bytes) => new Uint8Array(bytes),
    pause: async () => {},
  });
  expect((await slow(read)).status).toBe(503);
  expect(late.nonces).toEqual(['asked']);
  expect(clock.ms).toBeLessThan(1_000);
});

test('pauses between attempts have jitter', async () => {
  const { ask, pauses } = open([answer(503), answer(503)]);
  await ask(read);
  expect(pauses).toHaveLength(2);
  const [first = 0, second = 0] = pauses;
  expect(first).toBeGreaterThanOrEqual(50);
  expect(first).toBeLessThan(150);
  expect(second).toBeGreaterThanOrEqual(150);
  expect(second).toBeLessThan(450);
});

test('behind an open breaker nothing is sent', async () => {
  const { ask, nonces } = open(Array(20).fill(reset));
  for (let time = 0; time < 5; time++) await ask(read).catch(() => {});
  await expect(ask(read)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 });
  expect(nonces).toHaveLength(10);
});
