import type { Parameter } from '@gantry/oauth';
import { bounds, type HttpMethod, type OperationId, operation, SocialError, tooMany } from '@gantry/wire';
import { type Format, formatNamed } from '../formats/format.ts';

/** Query parameters of the contract's §2, validated. Others are ignored. */
export interface Query {
  readonly format: Format;
  /** Page size, 1 to 100. */
  readonly count: number;
  readonly startIndex: number;
  /** True for a `count` or `startIndex` above 0; without, friends' AppData comes whole. */
  readonly isPaged: boolean;
  /** Names in `fields`; empty without that parameter. */
  readonly fields: readonly string[];
  /** AppData keys in `fields`; absent for all keys. */
  readonly keys: readonly string[] | undefined;
  /** True for `filterBy=hasApp`. */
  readonly onlyWithApp: boolean;
}

const maxCount = 100;

/**
 * Parses the query (contract §2).
 *
 * @param options.pageSize The site's page size, for a `count` that is absent or at most 0.
 * @throws SocialError BAD_REQUEST that names the wrong parameter and the right form.
 */
export function parseQuery(
  parameters: readonly Parameter[],
  { pageSize, operationId }: { readonly pageSize: number; readonly operationId: OperationId },
): Query {
  const fields = fieldNames(parameters);
  const count = integer(parameters, 'count') ?? 0;
  const startIndex = Math.max(0, integer(parameters, 'startIndex') ?? 0);
  return {
    format: format(parameters),
    count: count > 0 ? Math.min(count, maxCount) : pageSize,
    startIndex,
    isPaged: count > 0 || startIndex > 0,
    fields: fields ?? [],
    keys: operation(operationId).topic === 'appData' ? appDataKeys(fields, operation(operationId).method) : undefined,
    onlyWithApp: single(parameters, 'filterBy') === 'hasApp',
  };
}

function single(parameters: readonly Parameter[], name: string): string | undefined {
  let result: string | undefined;
  for (const [key, value] of parameters) {
    if (key !== name) continue;
    if (result !== undefined) throw new SocialError('BAD_REQUEST', `The query parameter ${name} is given twice.`);
    result = value;
  }
  return result;
}

function integer(parameters: readonly Parameter[], name: string): number | undefined {
  const text = single(parameters, name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text)) {
    throw new SocialError('BAD_REQUEST', `${name} must be a whole number of at most 15 digits.`);
  }
  return Number(text);
}

function format(parameters: readonly Parameter[]): Format {
  const named = formatNamed(single(parameters, 'format') ?? 'json');
  if (named === undefined) throw new SocialError('BAD_REQUEST', 'format must be json, xml or atom.');
  return named;
}

function fieldNames(parameters: readonly Parameter[]): readonly string[] | undefined {
  const pairs = parameters.filter(([name]) => name === 'fields');
  if (pairs.length === 0) return undefined;
  const names: string[] = [];
  let left: number = bounds.list;
  for (const [, value] of pairs) {
    const parts = value.split(',', left + 1); // one more shows that there are too many
    left -= parts.length;
    if (left < 0) throw tooMany('fields', bounds.list);
    for (const part of parts) if (part.trim() !== '') names.push(part.trim());
  }
  return names;
}

// A DELETE meant for some keys must never hit all of them, so it takes no word for "all".
function appDataKeys(fields: readonly string[] | undefined, method: HttpMethod): readonly string[] | undefined {
  if (fields === undefined || method === 'POST') return undefined;
  const all = fields.includes('*') || fields.includes('@all');
  if (fields.length === 0 || (all && method === 'DELETE')) {
    throw new SocialError('BAD_REQUEST', 'fields must name AppData keys; leave it out for all of them.');
  }
  return all ? undefined : [...new Set(fields)];
}
