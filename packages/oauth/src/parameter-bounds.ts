import { OAuthError } from './oauth-error.ts';

/** Parameters of one request: query, form body and `Authorization` together (contract §8). */
const maxParameters = 1_000;
/** UTF-16 code units of a parameter's name, decoded. */
const maxNameLength = 64;

/** Refuses more than 1,000 parameters, which all are decoded and sorted. @throws OAuthError 400 */
export function refuseTooMany(count: number): void {
  if (count <= maxParameters) return;
  throw new OAuthError(400, 'parameter_rejected', `A request has at most ${maxParameters} parameters.`);
}

/** Returns the name. @throws OAuthError 400 for one that is too long. */
export function checkedName(name: string): string {
  if (name.length <= maxNameLength) return name;
  throw new OAuthError(
    400,
    'parameter_rejected',
    `The name of a parameter has at most ${maxNameLength} characters; one begins ${JSON.stringify(name.slice(0, 20))}.`,
  );
}

/** Counts the pairs of a query or form unparsed, up to one more than {@link maxParameters}. */
export function countPairs(form: string | Uint8Array): number {
  const text = typeof form === 'string' ? form : Buffer.from(form.buffer, form.byteOffset, form.byteLength);
  const separators = countUpToMost(text, '&');
  return text.length === 0 || text.at(-1) === (typeof text === 'string' ? '&' : 0x26) ? separators : separators + 1;
}

/** Counts the parameters of an `Authorization` header before it is parsed, as `countPairs` does. */
export function countInHeader(authorization: string): number {
  return countUpToMost(authorization, '="');
}

function countUpToMost(text: string | Buffer, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1 && count <= maxParameters; at = text.indexOf(part, at + part.length)) {
    count += 1;
  }
  return count;
}
