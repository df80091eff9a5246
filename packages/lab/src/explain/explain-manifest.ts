import type { LabEvent, SourcePlace } from '../record/entry.ts';
import type { Explanation } from './explanation.ts';

/** Explains a problem that `readManifest` found in a `gadget.json`. */
export function explainManifest({ problem, where }: Extract<LabEvent, { kind: 'manifest' }>): Explanation | undefined {
  if (problem === undefined) return undefined;
  const place = where ?? placeIn(problem);
  const about = { subject: problem, ...(place && { where: place }) };
  const text = problem.replace(/^gadget\.json(:\d+:\d+)?:? /, '');
  const meant = /Did you mean "([^"]*)"\?/.exec(problem)?.[1];
  if (place && / is not JSON: /.test(problem)) {
    const [, mistake = ''] = / is not JSON: (.*)$/s.exec(problem) ?? [];
    const what = `gadget.json is not JSON: ${mistake.replace(/\.$/, '')}.`;
    return { id: 'manifest-json', ...about, what, cure: `Mend line ${place.line}, column ${place.column ?? 1}.` };
  }
  if (/^gadget\.json is missing/.test(problem)) {
    return {
      id: 'manifest-missing',
      ...about,
      what: 'The folder has no gadget.json.',
      cure: 'Write one, or name the folder that has it.',
      example: '{ "name": "My gadget", "page": "index.html", "uses": [] }',
    };
  }
  const missing = /(\S+) names (.*), which is missing in/.exec(text);
  if (missing) {
    const [, member = '', file = ''] = missing;
    const cure = `Add ${file} to the folder, or write the name of the page that is there.`;
    return { id: 'manifest-page-missing', ...about, what: `${member} names ${file}, which is not there.`, cure };
  }
  const plain = text.replace(/ Did you mean.*$/s, '');
  const [, unknown, members = ''] = /^(\S+) must be left out: (.*?)\.?$/s.exec(plain) ?? [];
  if (unknown !== undefined) {
    return {
      ...{ id: 'manifest-unknown-member', ...about },
      what: `gadget.json has no member ${JSON.stringify(unknown)}.`,
      cure: meant ? `Call it ${JSON.stringify(meant)}.` : `Leave it out: ${members}.`,
      ...(meant && { example: `${JSON.stringify(meant)}: …` }),
    };
  }
  const cure = meant ? `Write ${JSON.stringify(meant)} there.` : 'Write such a value there.';
  return { id: 'manifest-value', ...about, what: `gadget.json: ${plain}`, cure };
}

/** Explains why files of an app cannot be built. */
export function explainBuild({ problem }: Extract<LabEvent, { kind: 'build' }>): Explanation | undefined {
  if (problem === undefined) return undefined;
  const { message, where, frame } = problem;
  if (/x-frame-options/i.test(message)) return framesForbidden(message);
  return {
    id: 'build-failed',
    subject: `${where?.file ?? ''} ${message}`,
    what: message.split('\n')[0] as string,
    cure: where ? `Mend ${where.file}: the gadget is loaded when it is saved.` : 'Mend it: the gadget is loaded then.',
    ...(frame !== undefined && { example: frame }),
    ...(where && { where }),
  };
}

function framesForbidden(message: string): Explanation {
  return {
    id: 'x-frame-options',
    what: message,
    cure: "Have the app's server leave X-Frame-Options out, and name the sites in frame-ancestors of its Content-Security-Policy instead.",
    example: 'Content-Security-Policy: frame-ancestors https://social.example',
  };
}

function placeIn(problem: string): SourcePlace | undefined {
  const found = /^gadget\.json:(\d+):(\d+)/.exec(problem);
  return found ? { file: 'gadget.json', line: Number(found[1]), column: Number(found[2]) } : undefined;
}
