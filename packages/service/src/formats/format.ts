import { parseForm } from '@gantry/oauth';
import { restRoot } from '../paths.ts';

/** Value of `format` (contract §2). */
export type Format = 'json' | 'xml' | 'atom';

/** `Content-Type` of a result in each format (contract §3). */
export const contentTypes: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
};

export function formatNamed(value: string): Format | undefined {
  const name = value.toLowerCase();
  return name === 'json' || name === 'xml' || name === 'atom' ? name : undefined;
}

/**
 * Returns the format of an error: the requested one if exactly one valid format is requested, else
 * JSON, also outside REST. Never throws, since a request may fail before or while its query is
 * parsed.
 */
export function formatOfFailure(rawTarget: string): Format {
  const mark = rawTarget.indexOf('?');
  if (mark === -1 || !rawTarget.startsWith(restRoot)) return 'json';
  try {
    const pairs = parseForm(rawTarget.slice(mark + 1)).filter(([name]) => name === 'format');
    return (pairs.length === 1 && pairs[0] && formatNamed(pairs[0][1])) || 'json';
  } catch {
    return 'json';
  }
}
