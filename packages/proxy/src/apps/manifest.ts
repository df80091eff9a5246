import {
  bounds,
  type CallPermission,
  isWorking,
  type OperationId,
  operation,
  operationIds,
  optionalPersonFields,
  parseJson,
  permissionsFor,
  type RequestParams,
  resolveRequest,
  SocialError,
} from '@gantry/wire';
import { closest } from '@gantry/wire/runtime';
import * as v from 'valibot';
import { issueMessage, jsonObject, listOf, shape } from '../http/validate.ts';
import { factMembers, filePath, maxTitle, shownText } from './manifest-facts.ts';

/** Names of the calls that are implemented, for example `people.get`. */
export const answeredCalls: readonly string[] = namesOf(operationIds.filter(isWorking));

export const knownCalls = namesOf(operationIds);
export const readCalls = namesOf(operationIds.filter((id) => isWorking(id) && operation(id).method === 'GET'));

export const viewNames = ['home', 'profile', 'canvas', 'preferences'];
const viewsOfOnePage = ['home', 'profile', 'canvas']; // not `preferences`, which needs a page of its own

/** Returns the views of an app, without sub-views. */
export function viewsOf({ views }: Manifest): readonly string[] {
  return views ? [...new Set(Object.keys(views).map((name) => name.split('.')[0] as string))] : viewsOfOnePage;
}

/** Decides, alone, which declared origins enter an app's security headers (security rule 5). */
export function isSourceOrigin(text: string): boolean {
  if (!/^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return text === origin && (protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1');
}

/** Bytes of a `gadget.json`. */
export const maxManifestBytes = 65_536;
const maxEntries = 50; // of each list and map

const origin = 'an origin such as "https://images.example", without path, wildcard or quotes';
const page = 'the path of an HTML file in the app\'s folder, such as "index.html"';
const view = `a view: one of ${viewNames.join(', ')}, or a sub-view such as canvas.map`;
export const sizing = ['fixed', 'maximal', 'automatic'] as const;
const height = 'a whole number of CSS pixels between 1 and 5000';

const uses = v.optional(listOf(v.picklist(knownCalls, oneOf(knownCalls)), maxEntries), []);
const fields = v.optional(listOf(v.picklist(optionalPersonFields, oneOf(optionalPersonFields)), maxEntries), []);
const pagePath = filePath(/\.html?$/i, page);

const laterPermissions = v.strictObject(
  { uses, fields },
  shape('an object with uses and fields', 'optional has only uses and fields'),
);
const request = v.strictObject(
  { operation: v.picklist(readCalls, oneOf(readCalls)), params: v.optional(jsonObject, {}) },
  shape('an operation with its params', 'a preload has only operation and params'),
);

export const members = {
  name: shownText('a title', maxTitle),
  page: pagePath,
  views: v.optional(
    v.pipe(
      jsonObject,
      v.check((views) => Object.keys(views).length <= maxEntries, `at most ${maxEntries} views with their pages`),
      v.record(v.pipe(v.string(view), v.check(isView, view)), pagePath, 'views with their pages'),
    ),
  ),
  sizing: v.optional(v.picklist(sizing, oneOf(sizing))),
  height: v.optional(v.pipe(v.number(height), v.integer(height), v.minValue(1, height), v.maxValue(5000, height)), 200),
  uses,
  fields,
  optional: v.optional(v.pipe(jsonObject, laterPermissions), {}),
  hosts: v.optional(listOf(v.pipe(v.string(origin), v.check(isSourceOrigin, origin)), maxEntries), []),
  preload: v.optional(listOf(request, maxEntries), []),
  storage: v.optional(v.boolean('true or false'), false),
  ...factMembers,
};

const manifestSchema = v.strictObject({ $schema: v.optional(v.string('a URL')), ...members }, ({ expected }) => {
  if (expected === 'never') return `left out: a manifest has only ${Object.keys(members).join(', ')}`;
  return expected === '"name"' ? `a title of 1 to ${maxTitle} characters` : expected === '"page"' ? page : 'an object';
});

/** A validated `gadget.json`. */
export type Manifest = Omit<v.InferOutput<typeof manifestSchema>, '$schema'>;

/**
 * Validates a manifest and fills in its defaults.
 *
 * @throws SocialError BAD_REQUEST that names the member and the expected value. Unknown members are
 * refused, since most are misspelled.
 */
export function checkManifest(json: unknown): Manifest {
  refuseOversized(json);
  const result = v.safeParse(manifestSchema, json);
  if (!result.success) {
    const issue = result.issues.find(({ expected }) => expected === 'never') ?? result.issues[0]; // a misspelled member often causes a missing one
    const isLegible = issue.input !== undefined && issue.expected !== 'never';
    const value = isLegible ? `, not ${JSON.stringify(issue.input).slice(0, 80)}` : '';
    throw new SocialError('BAD_REQUEST', `gadget.json: ${issueMessage(issue)}${value}.${suggestion(issue)}`);
  }
  const { $schema: _, ...manifest } = result.output;
  checkPreload(manifest);
  return manifest;
}

/** Returns ` Did you mean "…"?` for an unknown name that resembles a known one. */
function suggestion({ input, expected, path }: v.BaseIssue<unknown>): string {
  if (typeof input !== 'string') return '';
  const isMember = expected === 'never' && path?.length === 1;
  const names = isMember ? Object.keys(members) : [...knownCalls, ...optionalPersonFields, ...sizing];
  const meant = closest(input, names);
  const isAllowed = meant !== undefined && (isMember || expected?.includes(JSON.stringify(meant)));
  return isAllowed ? ` Did you mean ${JSON.stringify(meant)}?` : '';
}

// Before anything walks it (security rule 25).
function refuseOversized(json: unknown): void {
  let text: string;
  try {
    text = JSON.stringify(json) ?? ''; // overflows the stack for very deep input
    if (text.length <= maxManifestBytes) parseJson(text);
  } catch (cause) {
    throw new SocialError('BAD_REQUEST', `gadget.json must be at most ${bounds.depth} levels deep.`, { cause });
  }
  if (text.length > maxManifestBytes) throw manifestTooLarge();
}

export function manifestTooLarge(): SocialError {
  return new SocialError('BAD_REQUEST', `gadget.json must have at most ${maxManifestBytes} bytes.`);
}

/** Returns the permissions that the calls in `uses` and the person fields require. */
export function permissionsOf({ uses, fields }: Pick<Manifest, 'uses' | 'fields'>): readonly CallPermission[] {
  const ofCalls = operationIds
    .filter((id) => isWorking(id) && uses.includes(operation(id).osapi))
    .map((id) => operation(id).permission);
  return [...new Set(ofCalls), ...fields.map((field) => `people.${field}` as const)];
}

// Preloads run before the app does, so optional permissions do not count.
function checkPreload(manifest: Manifest): void {
  const declared = permissionsOf(manifest);
  manifest.preload.forEach((request, index) => {
    const where = `gadget.json: preload[${index}]`;
    if (!manifest.uses.includes(request.operation)) {
      throw new SocialError('BAD_REQUEST', `${where} calls ${request.operation}, so uses must list it.`);
    }
    const missing = needsOf(request, where).filter((name) => !declared.includes(name));
    const fields = missing.map((name) => name.replace('people.', ''));
    if (fields.length > 0) throw new SocialError('BAD_REQUEST', `${where}: fields must list ${fields.join(', ')}.`);
  });
}

function needsOf(request: { operation: string; params: RequestParams }, where: string): readonly CallPermission[] {
  try {
    return permissionsFor(resolveRequest(request, { app: 'app', viewer: 'viewer', owner: 'owner' }));
  } catch (cause) {
    if (cause instanceof SocialError) throw new SocialError('BAD_REQUEST', `${where}: ${cause.message}`, { cause });
    throw cause;
  }
}

function isView(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(name) && viewNames.includes(name.split('.')[0] as string);
}

function oneOf(names: readonly string[]): string {
  return `one of ${names.join(', ')}`;
}

function namesOf(ids: readonly OperationId[]): string[] {
  return [...new Set(ids.map((id) => operation(id).osapi))];
}
