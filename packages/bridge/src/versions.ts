import { release, type VersionMismatch, type VersionRange } from '@gantry/wire';

/** Versions of the protocol that this code speaks, and the first release with the least of them. */
export const protocolVersions: VersionRange = [1, 1];
export const protocolSince = '0.1.0';

/** Versions of one side, as its hello names them. */
export const helloVersions = { versions: protocolVersions, sdk: release, needs: protocolSince } as const;

const maxVersion = 65_535;
const maxListed = 16;
// Narrow, since members see this text of an app.
const releaseForm = /^\d{1,4}\.\d{1,4}\.\d{1,4}(-(alpha|beta|rc)\.\d{1,4})?$/;

/** Returns the greatest version in both ranges, `undefined` if there is none. */
export function commonVersion(one: VersionRange, other: VersionRange): number | undefined {
  const greatest = Math.min(one[1], other[1]);
  return greatest < Math.max(one[0], other[0]) ? undefined : greatest;
}

/**
 * Reads the member `versions` of a hello: least and greatest. A list of 1 to 16 versions stands for
 * the range that it spans, so `[1]` is version 1 only. @returns `undefined` for any other value.
 */
export function readVersions(value: unknown): VersionRange | undefined {
  if (!Array.isArray(value) || value.length < 1 || value.length > maxListed) return undefined;
  const numbers: number[] = Array.from(value); // a hole becomes undefined, which is no version
  if (!numbers.every((number) => Number.isInteger(number) && number > 0 && number <= maxVersion)) return undefined;
  return [Math.min(...numbers), Math.max(...numbers)];
}

/** Describes why a page cannot speak with an app, whose `hello` is as it came. */
export function mismatchOf(
  app: VersionRange,
  hello: { readonly sdk?: unknown; readonly needs?: unknown },
  page: VersionRange = protocolVersions,
): VersionMismatch {
  const update = app[0] > page[1] ? 'site' : 'app';
  const needs = update === 'app' ? protocolSince : readRelease(hello.needs);
  const sdk = readRelease(hello.sdk);
  return { app, page, update, ...(needs && { needs }), ...(sdk && { sdk }) };
}

/** Returns one line for developers; members read the container's own texts. */
export function mismatchText({ app, page, update, needs }: VersionMismatch): string {
  const due = needs ? `${needs} or later` : 'in a later version';
  const remedy = update === 'app' ? `build the app with @gantry/osapi ${due}` : `the site needs Gantry ${due}`;
  return `The app speaks protocol ${spanOf(app)}, this page ${spanOf(page)}: ${remedy}.`;
}

/** Writes a range: `3–4`, or `1`. */
function spanOf(range: VersionRange): string {
  return [...new Set(range)].join('–');
}

/** Reads a release such as `0.2.0`; returns `undefined` for any other value. */
export function readRelease(value: unknown): string | undefined {
  return typeof value === 'string' && releaseForm.test(value) ? value : undefined;
}
