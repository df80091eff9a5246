import { SocialError } from '@gantry/wire';
import * as v from 'valibot';
import { checkConsumer } from '../auth/consumers.ts';
import { appDataFields } from '../fields/app-data.ts';
import { settingProblem } from '../settings.ts';
import {
  type RecordKind,
  recordSchemas,
  removalSchema,
  type Site,
  siteSchema,
  siteSettings,
  type WorldRecord,
} from './schema.ts';

/** Fault of a record: its place, for example `.displayName`, and the end of a sentence about it. */
export type Problem = readonly [member: string, problem: string];

export type CheckResult<T> =
  | { readonly record: T; readonly problem?: undefined }
  | { readonly problem: Problem; readonly record?: undefined };

/** Checks a record by itself; references are checked elsewhere. */
export function checkRecord<K extends RecordKind>(kind: K, input: unknown): CheckResult<WorldRecord<K>> {
  const schema = recordSchemas[kind] as unknown as v.GenericSchema<unknown, WorldRecord<K>>;
  const checked = parse(schema, input);
  if (checked.problem) return checked;
  const problem = rules[kind]?.(checked.record);
  return problem ? { problem } : checked;
}

/** True for a record that removes a member. */
export function isRemoval(input: unknown): boolean {
  return typeof input === 'object' && input !== null && Object.hasOwn(input, 'deleted');
}

/** Checks a record that removes a member. @returns The member's id. */
export function checkRemoval(input: unknown): CheckResult<string> {
  const { record, problem } = parse(removalSchema, input);
  return problem ? { problem } : { record: record.id };
}

export function checkSite(input: unknown): CheckResult<Site> {
  const checked = parse(siteSchema, input);
  if (checked.problem) return checked;
  const site = checked.record;
  for (const [name, value] of siteSettings(site)) {
    const problem = settingProblem(name, value);
    const path = Object.hasOwn(site.settings ?? {}, name) ? `.settings.${name}` : `.${name}`;
    if (problem !== undefined) return { problem: [path, problem] };
  }
  return checked;
}

function parse<S extends v.GenericSchema>(schema: S, input: unknown): CheckResult<v.InferOutput<S>> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return { record: result.output };
  const [issue] = result.issues;
  const within = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return { problem: [within.join(''), issue.message] };
}

const rules: { readonly [K in RecordKind]?: (record: WorldRecord<K>) => Problem | undefined } = {
  friendships: differs,
  blocks: differs,
  installs: ({ removed, permissions, removesData }) => {
    if (removed && permissions !== undefined) return ['.permissions', 'cannot be of a removed app'];
    return removesData && !removed ? ['.removesData', 'needs removed: true'] : undefined;
  },
  consumers: (consumer) => refused('', () => checkConsumer(consumer)),
  appData: ({ data }) => refused('.data', () => appDataFields(data, { mostKeys: Number.POSITIVE_INFINITY })),
  mediaItems: ({ file, url }) => (file === undefined && url === '' ? ['.file', 'is missing'] : undefined),
};

function refused(member: string, check: () => void): Problem | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof SocialError)) throw error;
    return [member, `is refused: ${error.message.replace(/\.$/, '')}`];
  }
}

function differs([first, second]: readonly [string, string]): Problem | undefined {
  return first === second ? ['', 'must be of two different members'] : undefined;
}
