const number = '(?:0|[1-9]\\d*)';
const label = `(?:${number}|\\d*[A-Za-z-][\\dA-Za-z-]*)`;
const build = '[\\dA-Za-z-]+';

/** A version as SemVer 2.0.0 writes it. */
export const semverPattern = `^${number}\\.${number}\\.${number}(?:-${label}(?:\\.${label})*)?(?:\\+${build}(?:\\.${build})*)?$`;

/** Compares two versions by their precedence, for `sort`. @see SemVer 2.0.0 §11 */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [a, b].map(partsOf) as [Parts, Parts];
  const isRelease = one.labels.length === 0 || other.labels.length === 0; // a release is above its candidates
  const byLabels = isRelease ? other.labels.length - one.labels.length : compareLists(one.labels, other.labels);
  return compareLists(one.numbers, other.numbers) || byLabels;
}

interface Parts {
  readonly numbers: readonly string[];
  readonly labels: readonly string[];
}

function partsOf(version: string): Parts {
  const [, numbers = '', labels] = /^([^-+]*)(?:-([^+]*))?/.exec(version) ?? [];
  return { numbers: numbers.split('.'), labels: labels?.split('.') ?? [] };
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  const unlike = a.findIndex((part, index) => part !== b[index]);
  return unlike === -1 ? a.length - b.length : compareParts(a[unlike] as string, b[unlike]);
}

// Numbers have no leading zeros, so that the longer one is the greater, however long it is.
function compareParts(a: string, b: string | undefined): number {
  if (b === undefined) return 1;
  const [isNumber, isOther] = [a, b].map((part) => /^\d+$/.test(part));
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return (isNumber ? a.length - b.length : 0) || (a < b ? -1 : 1);
}
