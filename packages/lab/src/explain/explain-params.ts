import { isRecord } from '@gantry/wire';
import { closest } from '@gantry/wire/runtime';
import type { LabEvent } from '../record/entry.ts';
import { isWrite } from './explain-reply.ts';
import type { Explanation } from './explanation.ts';
import { problem } from './problems.ts';

const member = ['userId', 'groupId'];
const page = ['count', 'startIndex'];
const keys = ['appId', 'keys', 'fields'];

/** Parameters of the calls of apps, those that are read only for old gadgets last. */
const parameters: ReadonlyMap<string, readonly string[]> = new Map([
  ['people.get', [...member, 'fields', ...page, 'filterBy', 'personId']],
  ['activities.get', [...member, ...page, 'appId']],
  ['activities.create', ['activity', ...member, 'appId']],
  ['appdata.get', [...member, ...keys, ...page]],
  ['appdata.update', ['data', ...member, 'appId', 'appdata']],
  ['appdata.delete', [...member, ...keys]],
  ['albums.get', [...member, ...page, 'albumId', 'id']],
  ['mediaItems.get', ['albumId', ...member, ...page, 'mediaItemId', 'id']],
]);

/** Explains the first parameter that a call does not have. */
export function explainParams(call: string, names: readonly string[]): Explanation | undefined {
  const allowed = parameters.get(call) ?? names;
  const name = names.find((each) => !allowed.includes(each));
  if (name === undefined) return undefined;
  const facts = { call, name: name.slice(0, 100), meant: closest(name, allowed), names: allowed.join(', ') };
  return { ...problem('unknown-parameter', facts), subject: `${call} ${facts.name}` };
}

/** Explains a call whose parameters are not those that the app means. */
export function explainCall({ operation: call, params }: Extract<LabEvent, { kind: 'call' }>): Explanation | undefined {
  if (!isRecord(params)) return undefined;
  return explainParams(call, Object.keys(params)) ?? (isWrite(call) ? explainSaved(call, params) : undefined);
}

/** Explains a state that saves no more than a name of its type, or that is too large. */
export function explainAction({ name, params, error }: Extract<LabEvent, { kind: 'action' }>): Explanation | undefined {
  if (name !== 'state.set') return undefined;
  if (error?.data?.reason !== 'TOO_LARGE') return explainSaved('gantry.state.set', params);
  return { ...problem('state-too-large', error), subject: 'gantry.state.set' };
}

function explainSaved(call: string, value: unknown): Explanation | undefined {
  const isLost = JSON.stringify(value)?.includes('[object Object]');
  return isLost ? { ...problem('object-as-text', { call }), subject: call } : undefined;
}
