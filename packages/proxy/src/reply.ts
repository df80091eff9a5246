import {
  type Asker,
  type OperationId,
  operation,
  parseJson,
  personFieldsOf,
  type Reply,
  type ResolvedRequest,
  SocialError,
  type WireError,
} from '@gantry/wire';
import { appNotAdded } from './having.ts';
import type { UpstreamAnswer } from './upstream.ts';

interface AskedFor {
  readonly request: ResolvedRequest;
  readonly asker: Asker;
  /** Key and secret that signed: an upstream's error can quote what we sent it (security rule 8). */
  readonly hidden: readonly string[];
  /** For a `Retry-After` that is a date. */
  readonly nowMs: number;
}

type JsonObject = Readonly<Record<string, unknown>>;

const notJson = Symbol('not JSON');
const singleRows: readonly OperationId[] = ['people.getSelf', 'people.getMe', 'people.getPerson'];

/** Characters of the answer to a write. A longer one says no more than that it is done: it is kept, in case the write is repeated. */
const mostOfWrite = 65_536;

/** Turns any upstream's answer into what apps see: its quirks stop here (app surface). */
export function replyOf(answer: UpstreamAnswer, asked: AskedFor): Reply {
  const { status, text } = answer;
  const isWrite = operation(asked.request.operation).method !== 'GET';
  if (isWrite && status < 300 && text.length > mostOfWrite) return { ok: {} };
  const body = readBody(text);
  if (status >= 400 || (isObject(body) && isObject(body.error))) return { error: errorOf(answer, body, asked) };
  if (status >= 300) return failed('The site answered with a redirect.');
  if (isWrite) return { ok: isObject(body) ? mapOf(body.entry) : {} };
  if (body === notJson) return failed('The site answered with something that is not JSON.');
  return { ok: resultOf(body, asked) };
}

function resultOf(body: unknown, { request, asker }: AskedFor): unknown {
  if (body === undefined) return {};
  const { entry, startIndex, totalResults, itemsPerPage } = mapOf(body);
  const { topic } = operation(request.operation);
  if (topic === 'appData') return appDataOf(entry);
  const asApp = topic === 'people' ? personOf(request, asker) : (item: unknown) => item;
  if (singleRows.includes(request.operation) && !Array.isArray(entry)) return asApp(mapOf(entry));
  return {
    list: Array.isArray(entry) ? entry.map(asApp) : [],
    startIndex: count(startIndex),
    totalResults: count(totalResults),
    itemsPerPage: count(itemsPerPage),
  };
}

/** A person with what the request asked for, and so was granted: some servers send more than that. */
function personOf(request: ResolvedRequest, { owner }: Asker): (item: unknown) => unknown {
  const kept = new Set<string>([...basicFields, ...personFieldsOf(request)]);
  return (item) => {
    const person = isMap(item) ? item : {};
    const shown: Record<string, unknown> = {};
    for (const name of kept) if (Object.hasOwn(person, name)) shown[name] = person[name];
    shown.isOwner = person.id === owner;
    return shown;
  };
}

// Those that always come (the API document, §2).
const basicFields: readonly string[] = [
  'id',
  'isOwner',
  'isViewer',
  'hasApp',
  'displayName',
  'thumbnailUrl',
  'profileUrl',
];

// Some servers write an empty map as `[]`, and one with the keys 0, 1, 2 as a list of its values.
function appDataOf(entry: unknown): JsonObject {
  return Object.fromEntries(Object.entries(mapOf(entry)).map(([member, values]) => [member, mapOf(values)]));
}

function mapOf(value: unknown): JsonObject {
  return isMap(value) ? { ...value } : {};
}

function count(value: unknown): number {
  const number = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}

function errorOf({ status, retryAfter, text }: UpstreamAnswer, body: unknown, asked: AskedFor): WireError {
  const error = isObject(body) && isObject(body.error) ? body.error : undefined;
  // The interval. Our service adds Retry-After; a foreign one has any 500, while a fault of ours is an error in JSON.
  if (
    asked.request.operation === 'activities.create' &&
    status === 500 &&
    (retryAfter !== undefined || error === undefined)
  ) {
    const wait = secondsUntil(retryAfter, asked.nowMs) ?? 30; // the API document's default, §8
    return new SocialError('RATE_LIMITED', 'This member posted a moment ago.', { retryAfter: wait }).toWire();
  }
  const code = status >= 400 ? status : errorCode(error?.code);
  const reason = isWantOfApp(code, asked) ? appNotAdded : (reasons[code] ?? otherReason(code));
  const wait = secondsUntil(retryAfter, asked.nowMs);
  return {
    code,
    message: errorMessage(code, error?.message ?? (isObject(body) ? body.message : text), asked.hidden),
    data: wait === undefined ? { reason } : { reason, retryAfter: wait },
  };
}

/** Of AppData that the viewer writes for themselves, with the app's own key, only one thing can be missing (contract §6). */
function isWantOfApp(code: number, { request, asker }: AskedFor): boolean {
  const { topic } = operation(request.operation);
  return code === 403 && topic === 'appData' && request.method !== 'GET' && request.segments[1] === asker.viewer;
}

function otherReason(code: number): string {
  return code < 500 ? 'BAD_REQUEST' : 'UPSTREAM_FAILED';
}

function errorCode(code: unknown): number {
  return typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599 ? code : 502;
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'TOO_LARGE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL',
  501: 'NOT_IMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'TIMED_OUT',
  507: 'STORAGE_FULL',
};

function errorMessage(code: number, message: unknown, hidden: readonly string[]): string {
  // What OAuth libraries say quotes the signed text, and is about our key: nothing that an app could act on.
  if (code === 401) return 'The site refused this request for this member.';
  const whole = typeof message === 'string' ? message : '';
  const isQuote = hidden.some((text) => text !== '' && whole.includes(text)) || /oauth_/i.test(whole);
  return (isQuote ? '' : plainText(whole)) || `The site answered ${code}.`;
}

// Error pages become one line of text. Apps put messages into their pages, so no tag survives.
function plainText(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1[^>]*>?|$)/gi, '')
    .replace(/<\/?[a-z!][^>]*(>|$)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

function secondsUntil(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function readBody(text: string): unknown {
  const json = text.trim(); // also cuts a byte order mark
  if (json === '') return undefined;
  try {
    return parseJson(json);
  } catch {
    return notJson;
  }
}

function isObject(value: unknown): value is JsonObject {
  return isMap(value) && !Array.isArray(value);
}

// A list is a map of its places, as it is in PHP.
function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function failed(message: string): Reply {
  return { error: new SocialError('UPSTREAM_FAILED', message).toWire() };
}
