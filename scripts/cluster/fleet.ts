import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Reply } from '../../bench/durability/client.ts';
import { idsOfWriters, writersSite } from '../../bench/writers-site.ts';
import { type EventListener, listenToEvents } from './event-listener.ts';
import { type Fleet, type FleetProcess, startFleet } from './fleet-machines.ts';
import { buildRelease, type Release, thisRelease } from './release.ts';
import { type Report, seconds } from './report.ts';
import { startWriting, type Writing } from './writing.ts';

const writerIds = idsOfWriters(24);

/** Each round has writers of its own, since a ledger begins without posts. */
const [upgraders, killed, separated] = [0, 8, 16].map((start) => writerIds.slice(start, start + 8)) as [
  string[],
  string[],
  string[],
];

/** Member who is a friend of all writers and hears of their posts. */
const reader = 'reader';

const writers = writersSite(writerIds);
const world = {
  ...writers,
  members: [...writers.members, { id: reader, displayName: 'Reader' }],
  friendships: writerIds.map((id) => [reader, id]),
  installs: [...writers.installs, { appId: 'notes', memberId: reader }],
};

/** Seconds that the clock of one machine is off. */
const clockS = 40;

export interface FleetOptions {
  readonly isShort: boolean;
  /** Commit from which the fleet is upgraded. */
  readonly from?: string | undefined;
}

/** Upgrades, cuts off and disturbs the machines of a fleet. */
export async function runFleet(report: Report, { isShort, from = 'HEAD~50' }: FleetOptions): Promise<void> {
  const [old, present] = [buildRelease(from), thisRelease()];
  console.log(`from ${old.commit} to ${present.commit}`);
  const fleet = await startFleet(world, old);
  try {
    await upgrade(fleet, { report, present });
    await measureEvents(fleet, { report, posts: isShort ? 5 : 30 });
    await cutOff(fleet, { report, awayMs: isShort ? 5_000 : 60_000 });
    await turnClock(fleet, { report, present });
    await fillDisk(fleet, { report, present });
  } finally {
    await fleet.close();
  }
}

/** Replaces the four processes one by one under load; the control kills one instead. */
async function upgrade(fleet: Fleet, { report, present }: { report: Report; present: Release }): Promise<void> {
  const writing = startWriting(upgraders, [fleet.ports.site]);
  await writing.goesOn();
  const startedAtMs = performance.now();
  for (const each of fleet.processes) await each.replace({ release: present });
  const tookMs = performance.now() - startedAtMs;
  const gapMs = writing.longestGapMs(startedAtMs);
  const findings = writing.refused().map((status) => `a request was answered ${status || 'by a closed connection'}`);
  const lost = await endWriting(writing, fleet);
  report.check(
    `rolling upgrade in ${seconds(tookMs)}: ${writing.acknowledged()} writes, ${findings.length} requests and ` +
      `${lost.length} writes lost, ${seconds(gapMs)} the longest time without one`,
    [...findings, ...lost],
  );
  const again = startWriting(killed, [fleet.ports.site]);
  await again.goesOn();
  await fleet.processes[3]?.replace({ release: present, isKilled: true });
  const lostByKill = await endWriting(again, fleet);
  const { length } = again.refused();
  report.check(
    `control: one is killed instead: ${length} requests and ${lostByKill.length} writes lost`,
    length > 0 ? lostByKill : ['no request was lost'],
  );
}

/** Posts through each machine, and listens at the other. */
async function measureEvents(fleet: Fleet, { report, posts }: { report: Report; posts: number }): Promise<void> {
  const listeners = [0, 2].map((index) => listenAt(fleet, index));
  await pause(2_000);
  const tookMs: number[] = [];
  const silent: string[] = [];
  for (let count = 0; count < posts; count++) {
    const isFirst = count % 2 === 0;
    const memberId = upgraders[count % upgraders.length] as string; // their own posts were compared already
    const { status } = await post(fleet, { index: isFirst ? 1 : 3, memberId });
    const answeredAtMs = performance.now();
    const listener = listeners[isFirst ? 1 : 0] as EventListener;
    if (status !== 200) silent.push(`a post was answered ${status}`);
    else if ((await listener.unheard([memberId], answeredAtMs - 50)).length > 0) silent.push(`nothing of ${memberId}`);
    else tookMs.push(Math.max(0, (listener.heardAtMs(memberId) ?? 0) - answeredAtMs));
  }
  const unwritten = await (listeners[0] as EventListener).unheard([upgraders[0] as string], performance.now());
  await Promise.all(listeners.map((listener) => listener.stop()));
  const sorted = tookMs.sort((a, b) => a - b);
  const [median, slowest] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
  report.check(
    `${posts} events between machines: median ${seconds(median)}, slowest ${seconds(slowest)} after the answer`,
    [...silent, ...(slowest > 1_000 ? [`one took ${seconds(slowest)}`] : [])],
  );
  report.check('control: without a post nothing is heard', unwritten.length === 1 ? [] : ['something was']);
}

/** Pulls the cable of the second machine while writers go on through the balancer. */
async function cutOff(fleet: Fleet, { report, awayMs }: { report: Report; awayMs: number }): Promise<void> {
  const [, machine] = fleet.machines;
  const listener = listenAt(fleet, 2);
  const writing = startWriting(separated, [fleet.ports.site]);
  await writing.goesOn();
  await pause(2_000);
  const cutAtMs = performance.now();
  machine?.cutOff();
  await pause(awayMs);
  const whileAway = await listener.unheard(separated, performance.now() - 1_000);
  const gapMs = writing.longestGapMs(cutAtMs);
  const before = writing.refused().length;
  await writing.goesOn();
  const lost = await endWriting(writing, fleet);
  const backAtMs = performance.now();
  machine?.reconnect();
  // Nothing is written from here on: what the page hears now is what it missed.
  let unheard: readonly string[] = separated;
  while (unheard.length > 0 && performance.now() - backAtMs < 90_000)
    unheard = await listener.unheard(separated, backAtMs);
  const heardMs = performance.now() - backAtMs;
  await listener.stop();
  const status = await settled(fleet, 2);
  report.check(
    `a machine cut off for ${seconds(backAtMs - cutAtMs)}: ${writing.acknowledged()} writes, ${lost.length} lost, ${before} without ` +
      `a 200, ${seconds(gapMs)} the longest time without one; its page has caught up ${seconds(heardMs)} after`,
    [
      ...lost,
      ...unheard.map((id) => `its page heard nothing of ${id}`),
      ...(status === 200 ? [] : [`its process answers ${status} in the end`]),
    ],
  );
  report.check('control: while it is cut off, its page hears nothing', whileAway.length > 0 ? [] : ['it heard of all']);
}

/** Turns the clock of one process forward and back, and sends it what others signed. */
async function turnClock(fleet: Fleet, { report, present }: { report: Report; present: Release }): Promise<void> {
  const turned = fleet.processes[3] as FleetProcess;
  for (const offS of [clockS, -clockS]) {
    await turned.replace({ release: present, clockS: offS });
    const findings: string[] = [];
    const { status } = await post(fleet, { index: 3, memberId: '1' });
    if (status !== 200) findings.push(`a request of the right time was answered ${status}`);
    const used = await replayElsewhere(fleet);
    if (used !== 401) findings.push(`a used request was answered ${used}`);
    const listener = listenAt(fleet, 3);
    await pause(1_500);
    const sinceMs = performance.now();
    await post(fleet, { index: 0, memberId: '2' });
    const unheard = await listener.unheard(['2'], sinceMs);
    await listener.stop();
    if (unheard.length > 0) findings.push('its page hears nothing');
    console.log(`  its log: ${turned.log().trim().split('\n').slice(-2).join('\n  ')}`);
    report.check(`a clock ${offS} s off: signed requests, used ones and events are as with a right one`, findings);
  }
  await turned.replace({ release: present, clockS: 10 * clockS });
  const { status, text } = await post(fleet, { index: 3, memberId: '1' });
  const ready = await settled(fleet, 3);
  report.check(
    `control: ${10 * clockS} s off, signed requests are refused (${status}), and /readyz says ${ready}`,
    status === 401 && text.includes('oauth_timestamp') ? [] : [`answered ${status}: ${text}`],
  );
}

/** Sends one signed request to a right process, then to the one whose clock is off. */
async function replayElsewhere({ ports }: Fleet): Promise<number> {
  const signedSite = `http://localhost:${ports.site}`;
  const clients = [0, 3].map((index) => createClient(`http://127.0.0.1:${ports.processes[index]}`, signedSite));
  const [right, turned] = clients as [(typeof clients)[number], (typeof clients)[number]];
  const { request } = await right.ask({ method: 'GET', path: '/people/@me/@self', memberId: '1' });
  const url = request.url.replace(`:${ports.processes[0]}`, `:${ports.processes[3]}`);
  const { status } = await turned.send({ ...request, url });
  for (const client of clients) client.close();
  return status;
}

/** Gives one process a data folder on a disk of 1 MB that is full. */
async function fillDisk(fleet: Fleet, { report, present }: { report: Report; present: Release }): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), 'gantry-cluster-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', disk]);
  const filled = fleet.processes[3] as FleetProcess;
  const unmount = () => {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  };
  process.on('exit', unmount);
  try {
    for (const name of ['keys.json', 'site-key.pem']) copyFileSync(join(fleet.data, name), join(disk, name));
    fill(join(disk, 'filler'));
    await filled.replace({ release: present, data: disk });
    const findings: string[] = [];
    const written = await post(fleet, { index: 3, memberId: '3' });
    if (written.status !== 200) findings.push(`a post was answered ${written.status}: ${written.text}`);
    const read = await ask(fleet, 3, { method: 'GET', path: '/activities/@me/@self', memberId: '3' });
    if (read.status !== 200) findings.push(`a read was answered ${read.status}: ${read.text}`);
    const ready = await settled(fleet, 3);
    if (ready !== 200) findings.push(`/readyz says ${ready}`);
    console.log(`  its log: ${filled.log().trim().split('\n').slice(-2).join('\n  ')}`);
    report.check('a full disk under the data folder of one: reads, writes and /readyz go on', findings);

    rmSync(join(disk, 'keys.json'));
    fill(join(disk, 'more'));
    const refusal = await filled.replace({ release: present, data: disk }).then(
      () => 'It started.',
      ({ message }: Error) => message.trim(),
    );
    report.check(
      `control: a start that has to write keys there is refused: ${refusal.slice(0, 300)}`,
      /ENOSPC|no space|full/i.test(refusal) ? [] : [refusal],
    );
  } finally {
    process.off('exit', unmount);
    unmount();
  }
}

function fill(file: string): void {
  for (let size = 2 ** 20; size >= 1; size /= 2) {
    try {
      writeFileSync(file, new Uint8Array(size), { flag: 'a' });
    } catch {
      // Half as much may fit.
    }
  }
}

function listenAt({ ports }: Fleet, index: number): EventListener {
  return listenToEvents({ port: ports.processes[index] as number, member: reader, sitePort: ports.site });
}

async function ask(
  { ports }: Fleet,
  index: number,
  call: Parameters<ReturnType<typeof createClient>['sign']>[0],
): Promise<Reply> {
  const client = createClient(`http://127.0.0.1:${ports.processes[index]}`, `http://localhost:${ports.site}`);
  try {
    return await client.send(client.sign(call));
  } finally {
    client.close();
  }
}

function post(fleet: Fleet, { index, memberId }: { index: number; memberId: string }): Promise<Reply> {
  const body = { title: crypto.randomUUID() };
  return ask(fleet, index, { method: 'POST', path: '/activities/@me/@self', memberId, body });
}

/** Resolves with the status of `/readyz`, once it is 200 or after 10 s. */
async function settled({ ports }: Fleet, index: number): Promise<number> {
  for (const startedAtMs = performance.now(); ; await pause(100)) {
    const { status } = await fetch(`http://127.0.0.1:${ports.processes[index]}/readyz`).catch(() => ({ status: 0 }));
    if (status === 200 || performance.now() - startedAtMs > 10_000) return status;
  }
}

/** Stops the writers. Resolves with what the site lacks of what it acknowledged. */
async function endWriting(writing: Writing, { ports }: Fleet): Promise<readonly string[]> {
  await writing.stop();
  const client = createClient(`http://127.0.0.1:${ports.site}`);
  try {
    return (await Promise.all(writing.writers.map((writer) => writer.check(client)))).flat();
  } finally {
    client.close();
  }
}
