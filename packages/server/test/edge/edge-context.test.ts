import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { silentLogger } from '@gantry/wire/runtime';
import { expect, test } from 'vitest';
import type { Pending } from '../../src/edge/admission.ts';
import { defaultLimits } from '../../src/edge/limits.ts';
import { createEdge } from '../../src/http/edge.ts';
import { createTelemetry } from '../../src/telemetry/telemetry.ts';

test('a request that waited runs in its own contexts, those of the site too (security rule 32)', () => {
  const seen: unknown[] = [];
  const closing: (() => void)[] = [];
  const tracing = new AsyncLocalStorage<string>();
  const log = { ...silentLogger, isLevelEnabled: () => true, info: () => seen.push(['logged', tracing.getStore()]) };
  const telemetry = createTelemetry({ level: 'info', limits: defaultLimits, log });
  const queue: Pending[] = [];
  const clientOf = () => ({ address: '192.0.2.7', isForwarded: false, isDistinct: true });
  const edge = createEdge({ ...telemetry, clientOf, admission: { enter: (pending) => void queue.push(pending) } });
  const note = (name: string) => seen.push([name, tracing.getStore(), telemetry.contexts.getStore()?.incoming.url]);

  for (const name of ['/a', '/b']) {
    const incoming = { url: name, headers: {} } as unknown as IncomingMessage;
    const outgoing = Object.assign(new EventEmitter(), { setHeader() {} }) as unknown as ServerResponse;
    const admit = () =>
      edge.admit(
        outgoing,
        () => note(name),
        () => note(`${name} refused`),
      );
    tracing.run(`trace of ${name}`, () => edge.follow(incoming, outgoing, admit));
    closing.push(() => outgoing.emit('close'));
  }
  tracing.run('trace of /a', () => {
    note('naive'); // control: a queue's timer keeps the context of the request that started it
    for (const pending of queue) pending.run();
    queue[1]?.refuse();
    for (const close of closing) close();
  });
  expect(seen).toEqual([
    ['naive', 'trace of /a', undefined],
    ['/a', 'trace of /a', '/a'],
    ['/b', 'trace of /b', '/b'],
    ['/b refused', 'trace of /b', '/b'],
    ['logged', 'trace of /a'],
    ['logged', 'trace of /b'],
  ]);
  telemetry.load.close();
});
