import type { RequestParams } from './app-call.ts';
import { bounds } from './bounds.ts';
import { SocialError } from './social-error.ts';

/**
 * Returns the texts of a list or of a comma list; undefined for none. Empty ones count, but are
 * left out.
 *
 * @throws SocialError BAD_REQUEST for other values, and for more than `most`.
 */
export function listOf(value: unknown, name: string, most: number = bounds.list): string[] | undefined {
  if (!isGiven(value)) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > most) throw tooMany(name, most);
  const texts: string[] = [];
  let left = most;
  for (const item of items) {
    if (typeof item !== 'string' && typeof item !== 'number') throw badParam(name, 'text or a list of texts');
    const parts = String(item).split(',', left + 1); // one more shows that there are too many
    left -= parts.length;
    if (left < 0) throw tooMany(name, most);
    for (const part of parts) if (part.trim() !== '') texts.push(part.trim());
  }
  return texts;
}

/** Returns a parameter as text; undefined for none and for an empty one. */
export function optionalText(params: RequestParams, name: string): string | undefined {
  const value = params[name];
  return isGiven(value) && value !== '' ? text(value, name) : undefined;
}

/** @throws SocialError BAD_REQUEST for anything but a text or a number. */
export function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw badParam(name, 'text');
}

/** Returns a parameter as a whole number; undefined for none. */
export function integer(params: RequestParams, name: string): number | undefined {
  const value = params[name];
  if (!isGiven(value)) return undefined;
  if ((typeof value !== 'number' && typeof value !== 'string') || !/^-?\d{1,15}$/.test(String(value))) {
    throw badParam(name, 'a whole number');
  }
  return Number(value);
}

/** Returns false for undefined and null, as JSON-RPC leaves a parameter out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns true for an object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes the error for a list that is too long. */
export function tooMany(name: string, most: number): SocialError {
  return badParam(name, `a list of at most ${most}`);
}

/** Makes the error for a parameter, with the value that would be right. */
export function badParam(name: string, right: string): SocialError {
  return new SocialError('BAD_REQUEST', `${name} must be ${right}.`);
}
