import type { Lab } from '@gantry/lab';
import { SocialError } from '@gantry/wire';
import type { ClockAnswer, ClockRequest, FaultRequest, PermissionRequest } from './protocol.ts';

/**
 * Runs an action of a page on a lab.
 *
 * @param action Last part of the address: clock, faults or permissions.
 * @throws SocialError, RangeError in one line for what cannot be done.
 */
export async function actOnLab(lab: Lab, action: string, body: unknown): Promise<object> {
  if (typeof body !== 'object' || body === null) throw new SocialError('BAD_REQUEST', 'The body must be an object.');
  if (action === 'clock') return setClock(lab, body);
  if (action === 'faults') return setFaults(lab, body);
  if (action === 'permissions') return setPermissions(lab, body);
  throw new SocialError('NOT_FOUND', 'A lab has clock, faults and permissions.');
}

function setClock({ clock }: Lab, { stop, jumpMs, start }: ClockRequest): ClockAnswer {
  if (stop !== undefined) clock.stop(stop === true ? undefined : wholeNumber(stop, 'stop'));
  if (jumpMs !== undefined) clock.jump(jumpMs);
  if (start) clock.start();
  return { nowMs: clock.now(), offsetMs: clock.offsetMs, isStopped: clock.isStopped };
}

async function setFaults({ faults, calls }: Lab, { clear, network, once }: FaultRequest): Promise<object> {
  if (clear) {
    calls.unroute();
    await faults.clear();
  }
  if (network !== undefined) faults.network = network;
  if (once) {
    const { operation, viewer, app, fail, delayMs, dropReply, kill } = once;
    const scope = { viewer, app };
    const choice = faults.once(String(operation), scope);
    if (delayMs !== undefined) choice.delay(wholeNumber(delayMs, 'delayMs'));
    if (fail) calls.once(operation, (call) => call.fail(fail.status, fail.reason), scope);
    if (dropReply) choice.dropReply();
    if (kill) choice.kill();
  }
  return { network: faults.network };
}

async function setPermissions({ permissions, faults }: Lab, request: PermissionRequest): Promise<object> {
  const { permissions: setting, deny } = request;
  if (setting !== undefined) await permissions.set(setting);
  if (deny !== undefined) await faults.deny(String(deny));
  return {};
}

function wholeNumber(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new SocialError('BAD_REQUEST', `${name} is a whole number of milliseconds.`);
}
