import { parseJson } from '@gantry/wire';
import { timeZoneOf } from '../scenario/scenario-query.ts';
import { isKept, isKeptInAddress } from './kept-words.ts';
import type { StandIns } from './stand-ins.ts';

/** Replaces a value of a tape, deeply. `name` is the member that holds it. */
export type RedactValue = (value: unknown, name?: string) => unknown;

const longestPlainNumber = 6;
const longestNumber = 15;
const deepestText = 4;
const times = { leastMs: 1e12, mostMs: 4e12 };
const instant =
  /(?<!\d)\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?(?!\d)|(?<!\d)\d{4}([/-])\d{2}\1\d{2}(?!\d)/g;
const ids = /^(?:id|ids|guid|viewer|owner|persona|member|members|user|users|instance|keys?)$|(?:Id|Ids)$/;

/**
 * Makes the function that replaces values.
 *
 * @param options.shiftMs Milliseconds by which points in time are moved.
 * @param options.app Id of the app, which stays.
 */
export function createRedactValue(options: {
  readonly standIns: StandIns;
  readonly shiftMs: number;
  readonly app: string;
}): RedactValue {
  const { standIns, shiftMs, app } = options;

  function walk(value: unknown, name: string, texts: number): unknown {
    if (typeof value === 'string') return textOf(value, name, texts);
    if (typeof value === 'number') return numberOf(value, name);
    if (Array.isArray(value)) return value.map((item) => walk(item, name, texts));
    if (typeof value !== 'object' || value === null) return value;
    const isTheme = name === 'theme';
    const taken = new Set<string>();
    const members = Object.entries(value).map(([key, member]): [string, unknown] => {
      const shown = keyOf(key, taken);
      return [shown, isTheme && isLook(member) ? member : walk(member, key, texts)];
    });
    return Object.fromEntries(members);
  }

  function keyOf(key: string, taken: Set<string>): string {
    let shown = isKept(key) || key === app ? key : plain(key);
    while (taken.has(shown)) shown += standIns.word(`${key}\u0000${taken.size}`);
    taken.add(shown);
    return shown;
  }

  function textOf(text: string, name: string, texts: number): string {
    if (text === '' || isKept(text) || text === app || isSetting(text, name)) return text;
    const inner = texts < deepestText && /^\s*[[{]/.test(text) ? jsonOf(text) : undefined;
    if (inner !== undefined) return JSON.stringify(walk(inner.value, name, texts + 1));
    return plain(text);
  }

  function plain(text: string): string {
    const isFree = /\s/.test(text);
    let done = '';
    let from = 0;
    for (const match of text.matchAll(instant)) {
      done += words(text.slice(from, match.index), isFree) + timeOf(match[0]);
      from = match.index + match[0].length;
    }
    return done + words(text.slice(from), isFree);
  }

  function words(text: string, isFree: boolean): string {
    return standIns.text(text, isFree ? undefined : (word) => isKeptInAddress(word) || word === app);
  }

  function timeOf(text: string): string {
    return text.length === 10 ? standIns.day(text) : shiftInstant(text, shiftMs);
  }

  function numberOf(given: number, name: string): number {
    if (name === 'age') return standIns.age(given);
    // Coordinates have many decimals, shares at most one.
    const rounded = Math.round(given * 10) / 10 + 0;
    if (!Number.isFinite(rounded) || (!Number.isInteger(rounded) && Math.abs(rounded) < 10 ** longestPlainNumber)) {
      return Number.isFinite(rounded) ? rounded : 0;
    }
    const value = Math.round(rounded);
    if (value >= times.leastMs && value <= times.mostMs) {
      return Math.min(times.mostMs, Math.max(times.leastMs, value + shiftMs));
    }
    const digits = BigInt(Math.abs(value)).toString().slice(0, longestNumber);
    if (!ids.test(name) && digits.length <= longestPlainNumber) return value;
    // A stand-in of 13 digits would look like a time.
    const standIn = Number(standIns.word(digits.length === 13 ? `${digits}0` : digits));
    return value < 0 ? -standIn : standIn;
  }

  return (value, name = '') => walk(value, name, 0);
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

/** Colours and lengths of a site's look. */
function isLook(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return /^(?:(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([\da-z\s.,%/+-]{0,60}\)|#[\da-f]{3,8}|[\d.]{1,8}(?:px|r?em|%)?)$/.test(
    value,
  );
}

function isSetting(text: string, name: string): boolean {
  if (name === 'sdk') return /^\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text);
  if (name === 'locale') return /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/.test(text);
  return name === 'timeZone' && timeZoneOf(text) !== undefined;
}

/** Shifts a time and keeps its format: separator, digits and zone. */
function shiftInstant(text: string, shiftMs: number): string {
  const zone = /(?:Z|[+-]\d\d:?\d\d)$/.exec(text.slice(16))?.[0] ?? '';
  const local = zone === '' ? text : text.slice(0, -zone.length);
  const [sign, hours, minutes] = [zone.startsWith('-') ? -1 : 1, zone.slice(1, 3), zone.slice(-2)];
  const zoneMs = zone.length < 5 ? 0 : sign * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const [year = 0, month = 1, ...rest] = local.split(/[-T :.]/).map(Number);
  const [day = 1, hour = 0, minute = 0, second = 0] = rest;
  const ms = Number(local.slice(20, 23).padEnd(3, '0'));
  const moment = new Date(Date.UTC(2000, month - 1, day, hour, minute, second, ms));
  moment.setUTCFullYear(moment.getUTCFullYear() - 2000 + year);
  const movedMs = Math.min(latestMs, Math.max(earliestMs, moment.getTime() - zoneMs + shiftMs));
  const written = new Date(movedMs + zoneMs).toISOString().replace('Z', '').padEnd(local.length, '0');
  return written.slice(0, local.length).replace('T', text.charAt(10)) + zone;
}

const earliestMs = Date.parse('0001-01-08T00:00:00Z');
const latestMs = Date.parse('9999-12-24T00:00:00Z');
