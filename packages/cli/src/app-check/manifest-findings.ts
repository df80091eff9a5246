import { problem } from '@gantry/lab/record';
import type { Manifest } from '@gantry/proxy';
import { type Finding, manifestWarning } from './finding.ts';
import type { Source } from './sources.ts';

const calls =
  /\b(people|activities|appdata|albums|mediaItems|mediaitems)\s*\??\.\s*(get\w*|create|update|delete)\s*(?:\?\.\s*)?\(/g;

/** Returns the calls that an app makes, without those composed at run time. */
export function callsIn(sources: readonly Source[]): ReadonlySet<string> {
  // of a file that cannot be read, what looks like a call counts
  const codes = sources.flatMap(({ uses, text, problems }) => [
    ...uses.map(({ code }) => code),
    ...(problems.length > 0 ? [text] : []),
  ]);
  return new Set(
    codes.flatMap((code) =>
      Array.from(code.matchAll(calls), ([, service = '', method = '']) => {
        const name = service.replace('mediaitems', 'mediaItems');
        return `${name}.${method.startsWith('get') ? 'get' : method}`;
      }),
    ),
  );
}

/** Returns whether an app's text names an origin or its host. */
export function namesHost(sources: readonly Source[], origin: string): boolean {
  const { host } = new URL(origin);
  return sources.some(({ text }) => text.includes(host));
}

/** Returns calls and hosts that are declared but not used, or used but not declared. */
export function manifestFindings(sources: readonly Source[], manifest: Manifest): readonly Finding[] {
  const { uses, optional, hosts } = manifest;
  const declared = [...uses, ...optional.uses];
  const made = callsIn(sources);
  return [
    ...[...made]
      .filter((call) => !declared.includes(call))
      .map((call): Finding => ({ ...problem('undeclared-call', { call, manifest }), level: 'warning' })),
    ...declared.filter((call) => !made.has(call)).map((call) => manifestWarning(problem('unused-call', { call }))),
    ...hosts
      .filter((origin) => !namesHost(sources, origin))
      .map((origin) => manifestWarning(problem('unused-host', { origin }))),
  ];
}
