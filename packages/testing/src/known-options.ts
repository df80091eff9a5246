import { closest } from '@gantry/wire/runtime';

/** @throws TypeError for an option that is not known: it would be ignored. */
export function requireKnown(what: string, options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const near = closest(unknown, names);
  throw new TypeError(`${what} has no option ${unknown}${near ? `: did you mean ${near}?` : '.'}`);
}
