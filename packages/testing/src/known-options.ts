import { closest } from '@gantry/wire/runtime';

/** @throws TypeError for an option that is not known: it would be ignored. */
export function requireKnown(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = closest(unknown, known);
  throw new TypeError(`${what} has no option ${unknown}${near ? `: did you mean ${near}?` : '.'}`);
}
