import { EventEmitter } from 'node:events';
import { hashesAtOnce } from '@gantry/service';
import { expect, test } from 'vitest';
import { createHashPermits, createWorkerPermit, type HashPermits } from '../../src/processes/hash-permits.ts';

/** The two ends of the channel between a process and its worker, without the processes. */
function startWorker(permits: HashPermits) {
  const worker = new EventEmitter();
  const parent = new EventEmitter();
  const link = Object.assign(parent, {
    connected: true,
    send: (message: unknown) => worker.emit('message', message),
  });
  permits.serve(Object.assign(worker, { send: (message: unknown) => parent.emit('message', message) }) as never);
  return {
    permit: createWorkerPermit(link as never),
    end: () => worker.emit('exit'),
    loseParent() {
      link.connected = false;
      parent.emit('disconnect');
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('all processes together hash on half of the processors, and at least on one (security rule 25)', () => {
  expect([1, 2, 3, 4, 16].map(hashesAtOnce)).toEqual([1, 1, 1, 2, 8]);
});

test('workers share permits in the order in which they ask', async () => {
  const permits = createHashPermits(1);
  const [first, second] = [startWorker(permits), startWorker(permits)];
  const order: string[] = [];
  const take = (name: string, { permit }: typeof first) =>
    permit().then((done) => {
      order.push(name);
      return done;
    });
  const one = take('first', first);
  const two = take('second', second);
  const three = take('first again', first);
  await settled();
  expect(order).toEqual(['first']);
  (await one)();
  (await two)();
  (await three)();
  expect(order).toEqual(['first', 'second', 'first again']);
});

test('a worker that ends gives back what it had, and what it waited for goes to another', async () => {
  const permits = createHashPermits(1);
  const [first, second] = [startWorker(permits), startWorker(permits)];
  await first.permit();
  void first.permit();
  const waiting = second.permit();
  first.end();
  (await waiting)();
});

test('without the process that started it, a worker hashes on', async () => {
  const worker = startWorker(createHashPermits(1));
  await worker.permit();
  const waiting = worker.permit();
  worker.loseParent();
  (await waiting)();
  (await worker.permit())();
});
