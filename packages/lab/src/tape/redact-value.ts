import { isTime, mapText, type TextParts } from './map-text.ts';
import type { Position } from './positions.ts';
import { createStandIns } from './stand-ins.ts';

const [earliestMs, latestMs] = [Date.parse('0001-01-08T00:00:00Z'), Date.parse('9999-12-24T00:00:00Z')];

/**
 * Makes the functions that replace texts and numbers of one tape.
 *
 * @param options.shiftMs Milliseconds by which points in time are moved.
 * @param options.app Id of the app, which stays.
 */
export function createRedaction({ shiftMs, app }: { readonly shiftMs: number; readonly app: string }) {
  const standIns = createStandIns();
  const parts: TextParts = { ...standIns, time: (time) => shiftTime(time, shiftMs) };
  const plain = (text: string): string => mapText(text, parts);

  return {
    text(text: string, { source, name }: Position): string {
      if (text === app && source !== 'app') return text;
      if (source !== 'line') return plain(text);
      if (name === 'permissions') return `without:${plain(text.replace('without:', ''))}`;
      if (name !== 'place') return plain(text);
      // `MEMBER/APP#1`: the name of the app's place stays.
      const isOfApp = (segment: string): boolean =>
        segment.startsWith(`${app}#`) && /^\d{1,9}$/.test(segment.slice(app.length + 1));
      return text.replace(/[^/]+/g, (segment) => (isOfApp(segment) ? segment : plain(segment)));
    },
    number(value: number, at: Position): number {
      if (at.source === 'line') return value;
      if (at.source !== 'app' && at.name === 'age') return standIns.age(value);
      if (isTime(value)) return Number(shiftTime(String(value), shiftMs));
      if (isCount(value, at)) return value;
      const standIn = Number(standIns.word(digitsOf(value))) + (Number.isInteger(value) ? 0 : 0.5);
      return value < 0 ? -standIn : standIn;
    },
  };
}

/** Returns whether a number of the page or the API stays: a count of at most six digits, no id. */
export function isCount(number: number, { source, name }: Position): boolean {
  if (source === 'app' || !Number.isInteger(number) || Math.abs(number) >= 1e6) return false;
  return !/(?:^id|Id)s?$|^(?:guid|viewer|owner)$/.test(name);
}

/** Returns the digits of a number that its stand-in replaces. */
export function digitsOf(number: number): string {
  return BigInt(Math.trunc(Math.abs(number)))
    .toString()
    .slice(0, 15);
}

/** Shifts a time and keeps its format: separator, digits and zone. */
function shiftTime(text: string, shiftMs: number): string {
  if (!/^\d{4}-/.test(text)) return String(Math.min(4e12, Math.max(1e12, Number(text) + shiftMs)));
  const local = text.replace(/(?:Z|[+-]\d\d:?\d\d)$/, '');
  const ms = Date.parse(`${local.replace(' ', 'T')}Z`) + shiftMs;
  const moved = new Date(Math.min(latestMs, Math.max(earliestMs, ms || earliestMs))).toISOString().slice(0, -1);
  return moved.padEnd(29, '0').slice(0, local.length).replace('T', text.charAt(10)) + text.slice(local.length);
}
