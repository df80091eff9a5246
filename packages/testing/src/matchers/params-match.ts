import { brief, isMatcher } from './brief.ts';

/** A member of the parameters that is not as expected. */
export interface Mismatch {
  /** For example `activity.title`; empty for the whole. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Compares parameters with those that a test names: members that it does not name may be anything,
 * lists are compared whole, and a matcher such as `expect.any(String)` decides by itself.
 *
 * @returns The first mismatches; none where all that was named fits.
 */
export function mismatchesOf(expected: unknown, actual: unknown, path = ''): readonly Mismatch[] {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) ? [] : [mismatch(path, expected, actual)];
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [mismatch(path, expected, actual)];
    return expected.flatMap((item, index) => mismatchesOf(item, actual[index], `${path}[${index}]`));
  }
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(expected, actual) ? [] : [mismatch(path, expected, actual)];
  }
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return [mismatch(path, expected, actual)];
  return Object.entries(expected).flatMap(([key, value]) => {
    const member: unknown = Object.hasOwn(actual, key) ? Reflect.get(actual, key) : undefined;
    return mismatchesOf(value, member, path === '' ? key : `${path}.${key}`);
  });
}

function mismatch(path: string, expected: unknown, actual: unknown): Mismatch {
  return { path, expected: brief(expected, 120), actual: brief(actual, 120) };
}
