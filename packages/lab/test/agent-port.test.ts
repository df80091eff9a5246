import { expect, test, vi } from 'vitest';
import { acceptAgents } from '../page/agent-port.ts';
import { createReport } from '../page/report.ts';
import { agentGreeting } from '../src/agent-protocol.ts';
import type { Report as Told } from '../src/record.ts';

type OnMessage = (event: MessageEvent) => void;

/** A page with one gadget, whose frame is `frame`. */
function openPage() {
  const frame = {} as MessageEventSource;
  const reports: Told[] = [];
  let onMessage: OnMessage = () => {};
  let nowMs = 0;
  let isThere = true;
  const agents = acceptAgents({
    window: {
      addEventListener: (_type: string, listener: unknown) => {
        onMessage = listener as OnMessage;
      },
      removeEventListener: () => {},
    } as Pick<Window, 'addEventListener' | 'removeEventListener'>,
    whereIs: (source) => (source === frame && isThere ? { lab: 'lab', app: 'hello', place: 'm-1/hello#1' } : undefined),
    report: (event) => reports.push(event),
    now: () => nowMs,
  });
  function greet(source: MessageEventSource | null, data: unknown = { [agentGreeting]: 1 }): MessagePort {
    const { port1, port2 } = new MessageChannel();
    onMessage({ data, source, ports: [port2] } as unknown as MessageEvent);
    return port1;
  }
  /** Resolves when a port has delivered all that was posted to it before. */
  const delivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  function remove(): void {
    isThere = false;
  }
  return { frame, reports, agents, greet, delivered, remove, pass: (ms: number) => (nowMs += ms) };
}

const seen = (text: string) => ({ type: 'seen', event: { kind: 'console', level: 'log', text } });

test('an event is reported for the gadget of its frame, not for the one that it names', async () => {
  const { frame, reports, greet, delivered } = openPage();
  const port = greet(frame);
  port.postMessage({ type: 'seen', event: { ...seen('Hello').event, app: 'other', lab: 'x', place: 'y' } });
  await delivered();
  expect(reports).toEqual([
    { kind: 'console', level: 'log', text: 'Hello', app: 'hello', lab: 'lab', place: 'm-1/hello#1' },
  ]);
  port.close();
});

test('a greeting of another window, without a port, or by an app behind its agent is nothing', async () => {
  const { frame, reports, greet, delivered } = openPage();
  const ports = [
    greet({} as MessageEventSource),
    greet(null),
    greet(frame, 'gantry-agent'),
    greet(frame, { [agentGreeting]: 2 }),
  ];
  const agent = greet(frame);
  ports.push(greet(frame)); // the app instead of its agent
  for (const port of ports) port.postMessage(seen('forged'));
  agent.postMessage(seen('true'));
  await delivered();
  expect(reports.map((one) => 'text' in one && one.text)).toEqual(['true']);
  for (const port of [...ports, agent]) port.close();
});

test('a frame that sends more than an agent does is heard no longer (security rule 25)', async () => {
  const { frame, reports, greet, delivered, pass } = openPage();
  const port = greet(frame);
  for (let index = 0; index < 5_000; index++) port.postMessage(seen('x'));
  await delivered();
  await expect.poll(() => reports.length).toBe(400);
  pass(60_000);
  port.postMessage(seen('later'));
  await delivered();
  expect(reports).toHaveLength(400);
  port.close();
});

test.each([null, 7, { type: 'seen' }, { type: 'seen', event: null }, { type: 'other' }])(
  'a message that is none (%o) disturbs nothing',
  async (message) => {
    const { frame, reports, greet, delivered } = openPage();
    const port = greet(frame);
    port.postMessage(message);
    port.postMessage(seen('next'));
    await delivered();
    expect(reports).toHaveLength(1);
    port.close();
  },
);

test('the frames of a lab get its time, and it is set when all follow', async () => {
  const { frame, agents, greet } = openPage();
  const port = greet(frame);
  const heard: unknown[] = [];
  port.onmessage = ({ data }) => {
    heard.push(data);
    port.postMessage({ type: 'followed', turn: data.turn });
  };
  await agents.setClock('other', { aheadMs: 5 });
  await agents.setClock('lab', { aheadMs: 0, stoppedAtMs: 30 });
  expect(heard).toEqual([{ type: 'clock', clock: { aheadMs: 0, stoppedAtMs: 30 }, turn: 2 }]);
  port.close();
});

test('the frames of a lab have drawn when each says so, however long it takes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { frame, agents, greet, delivered } = openPage();
  const port = greet(frame);
  const messages: { type: string; turn: number }[] = [];
  port.onmessage = ({ data }) => void messages.push(data);
  let isDrawn = false;
  const drawn = agents.drawn('lab').then(() => {
    isDrawn = true;
  });
  await agents.drawn('other');
  await delivered();
  vi.advanceTimersByTime(60_000);
  port.postMessage({ type: 'followed', turn: 2 }); // an answer to another message
  await delivered();
  expect([messages, isDrawn]).toEqual([[{ type: 'draw', turn: 1 }], false]);
  port.postMessage({ type: 'followed', turn: 1 });
  await drawn;
  vi.useRealTimers();
  port.close();
});

test('a frame whose page loaded meanwhile gets the time that was set since', async () => {
  const { frame, agents, greet } = openPage();
  await agents.setClock('lab', { aheadMs: 30_000 });
  const port = greet(frame);
  const heard = new Promise((resolve) => port.addEventListener('message', ({ data }) => resolve(data)));
  port.start();
  expect(await heard).toMatchObject({ type: 'clock', clock: { aheadMs: 30_000 } });
  port.close();
});

test('a frame that is gone is not waited for, and a busy one is named', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { frame, agents, greet, remove } = openPage();
  const port = greet(frame);
  const busy = expect(agents.setClock('lab', { aheadMs: 1 })).rejects.toThrow('frame of hello does not follow');
  vi.advanceTimersByTime(5_000);
  await busy;
  const leaving = agents.setClock('lab', { aheadMs: 2 });
  remove();
  vi.advanceTimersByTime(100);
  await leaving;
  vi.useRealTimers();
  port.close();
});

const log: Told = { kind: 'console', level: 'log', text: 'Hello', lab: 'lab' };

function openReport(answer: () => Promise<Response> = async () => new Response('{}')) {
  const bodies: string[] = [];
  const later: (() => void)[] = [];
  const report = createReport({
    address: '/record',
    fetch(_url, { body }) {
      bodies.push(String(body));
      return answer();
    },
    after: (_ms, run) => later.push(run),
  });
  async function flush(): Promise<void> {
    for (const run of later.splice(0)) run();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { report, bodies, flush, sent: () => bodies.flatMap((body) => JSON.parse(body) as Told[]) };
}

test('reports of a moment are one request, in their order', async () => {
  const { report, bodies, flush, sent } = openReport();
  report(log);
  report({ ...log, text: 'again' });
  await flush();
  expect(bodies).toHaveLength(1);
  expect(sent()).toEqual([log, { ...log, text: 'again' }]);
  report(log);
  await flush();
  expect(bodies).toHaveLength(2);
});

test('a flood of reports goes in bounded requests, and what is too much is counted (security rule 25)', async () => {
  const { report, bodies, flush, sent } = openReport();
  for (let index = 0; index < 7_000; index++) report(log);
  await flush();
  await expect.poll(() => sent().length).toBe(5_001);
  expect(sent()).toContainEqual({ kind: 'left-out', count: 2_000, lab: 'lab' });
  expect(Math.max(...bodies.map((body) => JSON.parse(body).length))).toBeLessThanOrEqual(201);
});

test('a reply that is too large goes without its content', async () => {
  const { report, flush, sent } = openReport();
  report({ kind: 'reply', call: 1, tookMs: 1, size: 900_000, ok: 'x'.repeat(900_000), lab: 'lab' });
  report({ ...log, text: 'y'.repeat(900_000) });
  report(log);
  await flush();
  expect(sent()).toEqual([
    { kind: 'reply', call: 1, tookMs: 1, size: 900_000, ok: { leftOut: true }, lab: 'lab' },
    { kind: 'left-out', count: 1, lab: 'lab' },
    log,
  ]);
});

test('while the server is away reports are left out, and the next ones say so', async () => {
  let isAway = true;
  const { report, flush, sent } = openReport(async () => {
    if (isAway) throw new TypeError('Failed to fetch');
    return new Response('{}');
  });
  report(log);
  await flush();
  isAway = false;
  report({ ...log, text: 'back' });
  await flush();
  expect(sent().slice(1)).toEqual([
    { ...log, text: 'back' },
    { kind: 'left-out', count: 1, lab: 'lab' },
  ]);
});
