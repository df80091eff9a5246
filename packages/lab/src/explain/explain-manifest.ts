import type { LabEvent, SourcePlace } from '../record/entry.ts';
import type { Explanation } from './explanation.ts';
import { problem as inWords } from './problems.ts';

/** Explains a problem that `readManifest` found in a `gadget.json`. */
export function explainManifest({ problem }: Extract<LabEvent, { kind: 'manifest' }>): Explanation | undefined {
  if (problem === undefined) return undefined;
  const place = placeIn(problem);
  const about = { subject: problem, ...(place && { where: place }) };
  const text = problem.replace(/^gadget\.json(:\d+:\d+)?:? /, '');
  const [, mistake] = / is not JSON: (.*?)\.?$/s.exec(problem) ?? [];
  if (place && mistake !== undefined) {
    return { ...inWords('manifest-json', { mistake, line: place.line, column: place.column ?? 1 }), ...about };
  }
  if (/^gadget\.json is missing/.test(problem)) return { ...inWords('manifest-missing'), ...about };
  if (problem.startsWith('There is no folder')) {
    const cure = "Name the folder that has the app's gadget.json.";
    return { ...inWords('manifest-missing'), ...about, what: problem, cure };
  }
  const [, named, file = ''] = /(\S+) names (.*), which is missing in/.exec(text) ?? [];
  if (named !== undefined) return { ...inWords('manifest-page-missing', { member: named, file }), ...about };
  const meant = /Did you mean "([^"]*)"\?/.exec(problem)?.[1];
  const plain = text.replace(/ Did you mean.*$/s, '');
  const [, member, members = ''] = /^(\S+) must be left out: (.*?)\.?$/s.exec(plain) ?? [];
  if (member !== undefined) return { ...inWords('manifest-unknown-member', { member, members, meant }), ...about };
  return { ...inWords('manifest-value', { mistake: plain, meant }), ...about };
}

/** Explains why files of an app cannot be built. */
export function explainBuild({ problem }: Extract<LabEvent, { kind: 'build' }>): Explanation | undefined {
  if (problem === undefined) return undefined;
  const { message, where, frame } = problem;
  if (/x-frame-options/i.test(message)) return inWords('x-frame-options', { message });
  const facts = { message: message.split('\n')[0] as string, file: where?.file ?? 'it', frame };
  return { ...inWords('build-failed', facts), subject: `${where?.file ?? ''} ${message}`, ...(where && { where }) };
}

function placeIn(problem: string): SourcePlace | undefined {
  const match = /^gadget\.json:(\d+):(\d+)/.exec(problem);
  return match ? { file: 'gadget.json', line: Number(match[1]), column: Number(match[2]) } : undefined;
}
