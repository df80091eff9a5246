import { type Parameter, parseForm } from '@gantry/oauth';
import { restRoot } from '../segments.ts';

/** What `format` selects (contract §2). */
export type Format = 'json' | 'xml' | 'atom';

/** `Content-Type` of a result in each format (contract §3). */
export const contentTypes: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
};

/** The format that a value of `format` names, in any letter case. */
export function formatNamed(value: string): Format | undefined {
  const name = value.toLowerCase();
  return name === 'json' || name === 'xml' || name === 'atom' ? name : undefined;
}

/**
 * The format in which a failure is told: the one that the request asks for, if it asks for exactly one that exists, else
 * JSON; beside REST there is no other. It never throws, since a request can fail before its query was parsed, or because of it.
 */
export function formatOfFailure(rawTarget: string): Format {
  const mark = rawTarget.indexOf('?');
  if (mark === -1 || !rawTarget.startsWith(restRoot)) return 'json';
  const asked = parameters(rawTarget.slice(mark + 1)).filter(([name]) => name === 'format');
  return (asked.length === 1 && asked[0] && formatNamed(asked[0][1])) || 'json';
}

function parameters(query: string): readonly Parameter[] {
  try {
    return parseForm(query);
  } catch {
    return [];
  }
}
