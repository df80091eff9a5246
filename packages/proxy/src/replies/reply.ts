import {
  type Asker,
  isRecord,
  operation,
  parseJson,
  personFieldsOf,
  type Reply,
  type ResolvedRequest,
  SocialError,
  serviceColumnsOf,
  type WireError,
} from '@gantry/wire';
import { appNotAdded } from '../installs/installs.ts';
import type { UpstreamAnswer } from '../upstream/upstream.ts';

interface AskedFor {
  readonly request: ResolvedRequest;
  readonly asker: Asker;
  /** Key and secret of the request: an upstream's error may quote them (security rule 8). */
  readonly hidden: readonly string[];
  /** For a `Retry-After` that is a date. */
  readonly nowMs: number;
}

type JsonObject = Readonly<Record<string, unknown>>;

const notJson = Symbol('not JSON');

/** Characters of the answer to a write, which is stored for retries. A longer one becomes `{}`. */
const mostOfWrite = 65_536;

/** Normalizes the answer of any upstream, with its quirks, to the reply that apps receive. */
export function replyOf(answer: UpstreamAnswer, call: AskedFor): Reply {
  const { status, text } = answer;
  const isWrite = operation(call.request.operation).method !== 'GET';
  if (isWrite && status < 300 && text.length > mostOfWrite) return { ok: {} };
  const body = readBody(text);
  if (status >= 400 || (isRecord(body) && isRecord(body.error))) return { error: errorOf(answer, body, call) };
  if (status >= 300) return failed('The site answered with a redirect.');
  if (isWrite) return { ok: isRecord(body) ? mapOf(body.entry) : {} };
  if (body === notJson) return failed('The site answered with text that is not JSON.');
  return { ok: resultOf(body, call) };
}

function resultOf(body: unknown, { request, asker }: AskedFor): unknown {
  if (body === undefined) return {};
  const { entry, startIndex, totalResults, itemsPerPage } = mapOf(body);
  const { topic } = operation(request.operation);
  const { result } = serviceColumnsOf(request.operation);
  if (result === 'by member') return appDataOf(entry);
  const asApp = topic === 'people' ? personOf(request, asker) : (item: unknown) => item;
  if (result !== 'list' && !Array.isArray(entry)) return asApp(mapOf(entry));
  return {
    list: Array.isArray(entry) ? entry.map(asApp) : [],
    startIndex: count(startIndex),
    totalResults: count(totalResults),
    itemsPerPage: count(itemsPerPage),
  };
}

/** Reduces persons to the requested, and so granted, fields: some servers send more. */
function personOf(request: ResolvedRequest, { owner }: Asker): (item: unknown) => unknown {
  const names = new Set<string>([...basicFields, ...personFieldsOf(request)]);
  return (item) => {
    const person = isMap(item) ? item : {};
    const fields: Record<string, unknown> = {};
    for (const name of names) if (Object.hasOwn(person, name)) fields[name] = person[name];
    fields.isOwner = person.id === owner;
    return fields;
  };
}

// Always included (the API document, §2).
const basicFields = ['id', 'isOwner', 'isViewer', 'hasApp', 'displayName', 'thumbnailUrl', 'profileUrl'];

// Some servers send an empty map as `[]`, and one with the keys 0, 1, 2 as a list of its values.
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

function errorOf({ status, retryAfter, text }: UpstreamAnswer, body: unknown, call: AskedFor): WireError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
  const wait = secondsUntil(retryAfter, call.nowMs);
  // The posting interval. Gantry's service sends Retry-After and reports its faults as JSON errors;
  // other servers send any 500.
  const { hasInterval } = operation(call.request.operation);
  if (hasInterval && status === 500 && (retryAfter !== undefined || error === undefined)) {
    const seconds = wait ?? 30; // the API document's default, §8
    return new SocialError('RATE_LIMITED', 'This member posted a moment ago.', { retryAfter: seconds }).toWire();
  }
  const code = status >= 400 ? status : errorCode(error?.code);
  const reason = isWantOfApp(code, call)
    ? appNotAdded
    : (reasons[code] ?? (code < 500 ? 'BAD_REQUEST' : 'UPSTREAM_FAILED'));
  return {
    code,
    message: errorMessage(code, error?.message ?? (isRecord(body) ? body.message : text), call.hidden),
    data: wait === undefined ? { reason } : { reason, retryAfter: wait },
  };
}

// A 403 for the viewer's own AppData has no other cause (contract §6).
function isWantOfApp(code: number, { request, asker }: AskedFor): boolean {
  const { topic } = operation(request.operation);
  return code === 403 && topic === 'appData' && request.method !== 'GET' && request.segments[1] === asker.viewer;
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
  // Messages of OAuth libraries quote the signed text and concern the proxy's key, not the app.
  if (code === 401) return 'The site refused this request for this member.';
  const whole = typeof message === 'string' ? message : '';
  const isQuote = hidden.some((text) => text !== '' && whole.includes(text)) || /oauth_/i.test(whole);
  return (isQuote ? '' : plainText(whole)) || `The site answered ${code}.`;
}

// Reduces error pages to one line without tags, since apps insert messages into their pages.
function plainText(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1[^>]*>?|$)/gi, '')
    .replace(/<\/?[a-z!][^>]*(>|$)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

const longestWaitS = 86_400;

/** Returns the seconds until an upstream wants to be asked again, at most a day. */
function secondsUntil(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, Math.ceil(seconds)), longestWaitS);
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

// Lists count as maps of their indexes, as in PHP.
function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function failed(message: string): Reply {
  return { error: new SocialError('UPSTREAM_FAILED', message).toWire() };
}
