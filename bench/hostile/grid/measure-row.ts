import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startAttack } from './attack.ts';
import type { Cost } from './probe.ts';
import { planOf, type RoutePlan, type Surroundings } from './routes.ts';
import type { Row } from './rows.ts';
import type { Shape } from './shapes.ts';
import type { Server } from './site.ts';
import { slowness } from './slowness.ts';
import { type Ask, as, type Person, type Who } from './who.ts';
import type { World } from './world.ts';

/**
 * The most that an attack may cost beyond the plain request of the same sender: of time, where
 * nothing else runs on the machine.
 */
export const bounds = { bytes: 64 * 2 ** 20, stopMs: 250 };

/** A row with what it cost. */
export interface Measured extends Row {
  readonly cost: Cost;
  /** Cost of the plain request. */
  readonly control: Cost;
  readonly statuses: readonly number[];
  /** Bounds that it exceeds, and reasons why it proves nothing. Empty: it holds. */
  readonly faults: readonly string[];
}

/** The plain request, while nobody attacks. */
export interface Control {
  readonly cost: Cost;
  readonly statuses: readonly number[];
  /** Answer to a bystander. */
  readonly bystander: readonly number[];
}

export interface Place {
  readonly world: World;
  readonly server: Server;
  /** Counts up, so that no two requests are for the same row or text. */
  readonly next: () => number;
  /** Controls of this process by route and sender. */
  readonly controls: Map<string, Control>;
}

const holdMs = 3_000;
const patienceMs = 15_000;
const bystanderTries = 3;
const busyMs = 500;
const plainShape: Shape = { name: 'plain' };
const nothing: Cost = { longestStopMs: 0, peakBytes: 0, cpuMs: 0 };

/**
 * Attacks a server in one way and measures what that costs it, beside the plain request.
 *
 * A bystander, another member in another network, sends the plain request during the attack and
 * must get the same answer as at rest.
 */
export async function measureRow(row: Row, place: Place): Promise<Measured> {
  const plan = planOf(row.route) as RoutePlan;
  try {
    const control = await controlOf(row, plan, place);
    const { meter, port } = place.server;
    const make = await asker(row, { plan, person: 'viewer', place });
    const bystander = await asker({ ...row, shape: plainShape }, { plan, person: 'bystander', place });
    const { result, cost } = await meter.measure(async () => {
      const attack = startAttack(port, make, { ...row.shape, isStream: plan.isStream ?? false });
      await Promise.race([attack.sent, late(holdMs)]);
      if (holds(row.shape)) await meter.rest(holdMs);
      else await Promise.race([attack.done, late(patienceMs)]);
      const others = await patientStatusesOf(port, bystander, plan);
      return { statuses: attack.end(), others };
    });
    const measured = { ...row, cost, control: control.cost, statuses: result.statuses };
    return { ...measured, faults: faultsOf(measured, { plan, control, others: result.others }) };
  } catch (error) {
    const faults = [`measured nothing: ${(error as Error).message} ${place.server.complaints().slice(0, 300)}`];
    return { ...row, cost: nothing, control: nothing, statuses: [], faults };
  }
}

/** Measures the plain request, once for each route and sender of a process. */
async function controlOf({ route, who }: Row, plan: RoutePlan, place: Place): Promise<Control> {
  const key = `${route} ${who}`;
  const cached = place.controls.get(key);
  if (cached) return cached;
  const { meter, port } = place.server;
  const row = { route, who, shape: plainShape };
  const make = await asker(row, { plan, person: 'viewer', place });
  const bystander = await asker(row, { plan, person: 'bystander', place });
  await statusesOf(port, make, plan); // loading and compiling is no cost of a request
  const { result: statuses, cost } = await meter.measure(() => statusesOf(port, make, plan));
  const control = { cost, statuses, bystander: await statusesOf(port, bystander, plan) };
  place.controls.set(key, control);
  return control;
}

/** Sends one request and resolves with its status, in a list that is empty without an answer. */
async function statusesOf(port: number, make: () => Ask, { isStream = false }: RoutePlan): Promise<readonly number[]> {
  const attack = startAttack(port, make, { isStream });
  await Promise.race([attack.done, late(patienceMs)]);
  return attack.end();
}

/** Sends a bystander's request again while the server is only busy for a moment. */
async function patientStatusesOf(port: number, make: () => Ask, plan: RoutePlan): Promise<readonly number[]> {
  for (let tries = 1; ; tries++) {
    const statuses = await statusesOf(port, make, plan);
    if (statuses[0] !== 503 || tries === bystanderTries) return statuses;
    await late(busyMs);
  }
}

const late = (ms: number) => pause(ms, undefined, { ref: false });

/** Returns whether an attack goes on until it is ended. */
const holds = ({ reading, sending }: Shape): boolean =>
  reading !== undefined || (sending !== undefined && sending !== 'in one-byte chunks');

/** Makes the function that makes the requests of a row. */
async function asker(
  { route, shape, who }: Row,
  { plan, person, place }: { readonly plan: RoutePlan; readonly person: Person; readonly place: Place },
): Promise<() => Ask> {
  const { world, server, next } = place;
  const gadget = plan.reads === 'page' ? await server.mount(person) : { instance: '', token: '', since: '' };
  const [method = ''] = route.split(' ');
  const surroundings: Surroundings = { world, person, gadget, chunk, next };
  return () => {
    const plain = { method, ...(shape.list ?? plan.plain)(surroundings) };
    return as({ who, person, world, reads: plan.reads }, shape.change?.(plain) ?? plain);
  };
}

const chunks = fileURLToPath(new URL('../../../packages/container/dist/chunks', import.meta.url));
const chunk = readdirSync(chunks).find((name) => name.endsWith('.js')) ?? '';

/** Further statuses of a plain request from somebody who may not send it. */
const refusals = [303, 307, 400, 401, 403];

function faultsOf(
  { route, shape, who, cost, control: plain, statuses }: Omit<Measured, 'faults'>,
  {
    plan,
    control,
    others,
  }: { readonly plan: RoutePlan; readonly control: Control; readonly others: readonly number[] },
): string[] {
  const bytes = excessBytes({ cost, control: plain });
  const stopMs = cost.longestStopMs - plain.longestStopMs;
  const [status] = control.statuses;
  const expected = mayAsk(plan, who) ? plan.answers : [...plan.answers, ...refusals];
  const takesBody = shape.sending === undefined;
  return [
    ...(bytes > bounds.bytes ? [`${Math.round(bytes / 1e6)} MB more than the plain request`] : []),
    ...(stopMs > bounds.stopMs && stopMs > bounds.stopMs * slowness()
      ? [`stops for ${Math.round(stopMs)} ms more than the plain request`]
      : []),
    ...(status === undefined || !expected.includes(status)
      ? [`measured nothing: the plain request of ${route} was answered ${status ?? 'nothing'}`]
      : []),
    ...(statuses.length === 0 && takesBody ? [`no answer in ${patienceMs / 1_000} s`] : []),
    ...(statuses.includes(500) ? ['a fault of the server: 500'] : []),
    ...(others[0] !== control.bystander[0]
      ? [`another person was answered ${others[0] ?? 'nothing'} instead of ${control.bystander[0]}`]
      : []),
  ];
}

/** Returns what an attack took at its peak beyond the plain request. */
export function excessBytes({ cost, control }: Pick<Measured, 'cost' | 'control'>): number {
  return cost.peakBytes - control.peakBytes;
}

function mayAsk({ reads }: RoutePlan, who: Who): boolean {
  if (reads === 'nothing') return true;
  return reads === 'session' || reads === 'page' ? who === 'member' : who === 'key' || who === 'app';
}
