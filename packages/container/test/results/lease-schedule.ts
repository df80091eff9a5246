import type { Change, Reply, ResourceRequest } from '@gantry/wire';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { createSetting, friends, notes, post, save, stream, tick } from '../setting.ts';
import { deliverAll, type LeasedApp, openLeasedApp } from './leased-apps.ts';

const notesOfFriends: ResourceRequest = { operation: 'appdata.get', params: { groupId: '@friends' } };
const saveOfOther: ResourceRequest = { operation: 'appdata.update', params: { userId: '2', data: { a: '1' } } };
const reads = [friends, stream, notes, notesOfFriends] as const;
const freshMs = [60_000, 5_000, 5_000, 5_000];
const writes = [save, post, saveOfOther] as const;
const changes: readonly Change[] = [
  { topic: 'appData', member: '1', app: 'friends' },
  { topic: 'appData', member: '2', app: 'notes' },
  { topic: 'activities', member: '*' },
  { topic: 'people', member: '2' },
];

/** One thing that happens. Apps and pages are numbers. */
type Step =
  | { readonly do: 'read' | 'watch'; readonly app: number; readonly read: number }
  | { readonly do: 'write'; readonly app: number; readonly write: number }
  | { readonly do: 'to page' | 'to app'; readonly app: number }
  | { readonly do: 'deliver' | 'tick' }
  | { readonly do: 'wait' | 'clock back'; readonly ms: number }
  | { readonly do: 'others'; readonly page: number; readonly change: number }
  | { readonly do: 'site'; readonly outcome: 'ok' | 'refused' | 'lost' }
  | { readonly do: 'rights'; readonly areAll: boolean }
  | { readonly do: 'viewer'; readonly viewer: string }
  | { readonly do: 'replace'; readonly upstream: string };

const app = fc.constantFrom(0, 0, 0, 1, 2, 3);
const read = fc.constantFrom(0, 2, 2, 1, 3);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('read' as const), app, read }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('watch' as const), app, read }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), app, write: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('to page' as const, 'to app' as const), app }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constantFrom('deliver' as const, 'tick' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 4_999, 5_000, 60_000, 600_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('clock back' as const), ms: fc.constantFrom(1, 3_000, 90_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('others' as const), page: fc.nat(1), change: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('site' as const),
      outcome: fc.constantFrom('ok' as const, 'refused' as const, 'lost' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rights' as const), areAll: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('viewer' as const), viewer: fc.constantFrom('1', '2') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), upstream: fc.constantFrom('a', 'b') }) },
);

export const schedule = fc.array(step, { minLength: 5, maxLength: 60 });

/** A result as a page or an app has it. */
type Seen = { readonly ok: string; readonly storedAtMs: number } | undefined;

/**
 * Runs a schedule on two pages of one browser with two apps each, and compares each answer of a
 * lease with what the page would answer: the same, if every message of the page has arrived, else
 * one that it would have given since it posted the last message that has. No lease answers while a
 * write of the app has not reached the page.
 *
 * @param loses Picks messages of pages that get lost: a planted fault.
 * @returns The number of answers that crossed nothing.
 */
export async function runSchedule(
  steps: readonly Step[],
  loses?: (message: { readonly gantry?: string }) => boolean,
): Promise<number> {
  vi.setSystemTime(1_790_000_000_000);
  const { network, newPage } = createSetting({ isMachineClock: true });
  let count = 0;
  let outcome: 'ok' | 'refused' | 'lost' = 'ok';
  network.upstream = 'a';
  network.preload = [friends];
  network.site = ({ operation: name, params }): Reply => {
    count += 1;
    const isWrite = /update|create/.test(name);
    if (isWrite && (outcome === 'refused' || params.userId === '2')) return { error: { code: 403, message: 'No.' } };
    if (isWrite && outcome === 'lost') return { error: { code: 503, message: 'Away.' } };
    if (isWrite) return { ok: name === 'activities.create' ? { id: `w${count}`, userId: '1', title: 'Hello' } : {} };
    if (name === 'appdata.get') return { ok: { [String(network.viewer)]: { a: `${count}` }, '2': { a: `${count}` } } };
    return { ok: { list: [{ id: `${count}`, userId: '2' }], startIndex: 0, totalResults: 1, itemsPerPage: 20 } };
  };
  const allPermissions = network.permissions;
  const pages = [newPage(), newPage()];
  const mount = (index: number) =>
    openLeasedApp(pages[index % 2] as (typeof pages)[0], index === 3 ? 'notes' : 'friends', {
      ...(loses && { loses }),
    });
  const apps: LeasedApp[] = [];
  for (let index = 0; index < 4; index++) apps.push(await mount(index));
  const shown = new Map<LeasedApp, Seen[][]>(); // what the page would answer after each step
  const postedAt = new Map<LeasedApp, number[]>(); // step of each message of the page
  let at = 0;
  let leasedAnswers = 0;

  function seen(reply: Reply | undefined): Seen {
    if (!reply || 'error' in reply || reply.meta?.stale || reply.meta?.pending) return undefined;
    return { ok: JSON.stringify(reply.ok), storedAtMs: Date.now() - (reply.meta?.ageMs ?? 0) };
  }
  function note(): void {
    for (const one of apps) {
      const steps = shown.get(one) ?? [];
      shown.set(one, steps);
      steps[at] = reads.map((request) => seen(one.present(request)));
      const posts = postedAt.get(one) ?? [];
      postedAt.set(one, posts);
      while (posts.length < one.posted.length) posts.push(at);
    }
  }
  async function read(one: LeasedApp, index: number): Promise<void> {
    const replies = one.ask(reads[index] as ResourceRequest);
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    const [reply] = replies;
    if (!reply || 'error' in reply) return; // it has to cross, or the port is closed
    leasedAnswers += 1;
    const answered = seen(reply);
    const isUnheard = one.page.waiting.some((message) => /update|create/.test(JSON.stringify(message)));
    expect(isUnheard, 'no lease answers over a write of the app that the page has not heard').toBe(false);
    const { ageMs = -1 } = reply.meta ?? {};
    expect(ageMs >= 0 && ageMs < (freshMs[index] as number), 'leased answers are fresh').toBe(true);
    const present = seen(one.present(reads[index] as ResourceRequest));
    if (one.app.waiting.length === 0) {
      expect(answered, 'a lease answers what the page would').toEqual(present);
      return;
    }
    const delivered = one.posted.length - one.app.waiting.length;
    const since = (postedAt.get(one)?.[delivered - 1] ?? 0) - 1;
    const allowed = (shown.get(one) ?? []).slice(Math.max(0, since)).map((answers) => answers?.[index]);
    expect([...allowed, present], 'a lease answers what the page would have since it was heard').toContainEqual(
      answered,
    );
  }
  async function happen(step: Step): Promise<void> {
    const one = 'app' in step ? (apps[step.app] as LeasedApp) : undefined;
    if (step.do === 'read' && one) await read(one, step.read);
    if (step.do === 'watch' && one) {
      const { operation: name, params } = reads[step.read] as ResourceRequest;
      one.connection.watch({ operation: name, params: JSON.stringify(params) }, () => {});
    }
    if (step.do === 'write' && one) one.ask(writes[step.write] as ResourceRequest);
    if (step.do === 'to page') one?.page.deliver();
    if (step.do === 'to app') one?.app.deliver();
    if (step.do === 'deliver') await deliverAll(apps);
    if (step.do === 'tick') await tick();
    if (step.do === 'wait') vi.setSystemTime(Date.now() + step.ms);
    if (step.do === 'clock back') vi.setSystemTime(Date.now() - step.ms);
    if (step.do === 'others') pages[step.page]?.invalidate([changes[step.change] as Change]);
    if (step.do === 'site') outcome = step.outcome;
    if (step.do === 'viewer') network.viewer = step.viewer;
    if (step.do === 'replace') network.upstream = step.upstream;
    if (step.do === 'rights') {
      network.permissions = step.areAll ? allPermissions : [];
      for (const { tokens } of network.calls()) for (const token of Object.values(tokens)) network.expired.add(token);
    }
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }

  for (const one of steps) {
    at += 1;
    note();
    await happen(one);
    for (const [index, mounted] of apps.entries()) {
      if (mounted.isReplaced && mounted.app.waiting.length === 0) apps[index] = await mount(index);
    }
    note();
  }
  for (let round = 0; round < 4; round++) {
    await deliverAll(apps);
    await tick();
  }
  await deliverAll(apps);
  at += 1;
  note();
  for (const one of apps) for (const index of reads.keys()) if (!one.isReplaced) await read(one, index);
  return leasedAnswers;
}
