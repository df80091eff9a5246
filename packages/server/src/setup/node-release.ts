/**
 * First releases whose V8 hashes strings that look like numbers unpredictably (CVE-2026-21717).
 * Before, some hundred kilobytes of input can block the process for seconds. Other lines up to 25
 * never got the fix; later ones always had it.
 */
const fixed: Readonly<Record<number, readonly [minor: number, patch: number]>> = {
  20: [20, 2],
  22: [22, 2],
  24: [14, 1],
  25: [8, 2],
};
const lastUnfixedLine = 25;

/** Returns the warning for a Node release that hashes predictably (`process.versions.node`). */
export function releaseWarning(version: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major > lastUnfixedLine) return undefined;
  const [fixedMinor, fixedPatch] = fixed[major] ?? [Number.POSITIVE_INFINITY, 0];
  if (minor > fixedMinor || (minor === fixedMinor && patch >= fixedPatch)) return undefined;
  return `Node ${version} has CVE-2026-21717: some inputs can block it for seconds. Run 22.22.2, 24.14.1, 25.8.2 or a later release of these lines.`;
}
