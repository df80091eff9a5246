import { bounds } from './bounds.ts';
import type { RequestParams } from './resource-request.ts';
import { SocialError } from './social-error.ts';

/** Reading of parameters that an app wrote. Each throws BAD_REQUEST that says what would be right. */

/** Texts of a list or of a comma list, at most `most`; undefined for none. Empty ones count, and are left out. */
export function listOf(value: unknown, name: string, most: number = bounds.list): string[] | undefined {
  if (!isGiven(value)) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > most) throw tooMany(name, most);
  const texts: string[] = [];
  let left = most;
  for (const item of items) {
    if (typeof item !== 'string' && typeof item !== 'number') throw badParam(name, 'text or a list of texts');
    const parts = String(item).split(',', left + 1); // no more than shows that there are too many
    left -= parts.length;
    if (left < 0) throw tooMany(name, most);
    for (const part of parts) if (part.trim() !== '') texts.push(part.trim());
  }
  return texts;
}

export function optionalText(params: RequestParams, name: string): string | undefined {
  const value = params[name];
  return isGiven(value) && value !== '' ? text(value, name) : undefined;
}

export function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw badParam(name, 'text');
}

export function integer(params: RequestParams, name: string): number | undefined {
  const value = params[name];
  if (!isGiven(value)) return undefined;
  if ((typeof value !== 'number' && typeof value !== 'string') || !/^-?\d{1,15}$/.test(String(value))) {
    throw badParam(name, 'a whole number');
  }
  return Number(value);
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function tooMany(name: string, most: number): SocialError {
  return badParam(name, `a list of at most ${most}`);
}

export function badParam(name: string, right: string): SocialError {
  return new SocialError('BAD_REQUEST', `${name} must be ${right}.`);
}
