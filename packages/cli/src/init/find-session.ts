import type { Project } from '../project/project.ts';
import { nodeSources } from './node-source.ts';

/** Names for a member, best first. */
const speaking = [
  /member_?id/i,
  /user_?id/i,
  /account_?id/i,
  /^(uid|sub)$/i,
  /^(member|user|account)$/i,
  /user_?name|login/i,
];

/** Members of the session itself. */
const own = /^(cookie|id|save|destroy|regenerate|reload|touch|maxAge)$/;

/** Returns the session's key of the member in Node code: `request.session.memberId = …`. */
export function nodeSessionKey(project: Project): string | undefined {
  const found = [...nodeSources(project)]
    .filter(({ bare }) => bare.includes('session'))
    .flatMap(({ bare, code }) => [
      ...bare.matchAll(/\.session\s*\.\s*([\w$]+)\s*=(?![=>])/g),
      ...code.matchAll(/\.session\s*\[\s*['"](\w+)['"]\s*\]\s*=(?![=>])/g),
    ]);
  return best(found.map(([, name = '']) => name).filter((name) => !own.test(name)));
}

/** Returns the same for Python: `session['member_id'] = …`. */
export function flaskSessionKey(project: Project): string | undefined {
  return best(keysIn(project, /\.py$/, /\bsession\s*\[\s*['"](\w+)['"]\s*\]\s*=(?!=)/g));
}

/** Returns the same for PHP: `$_SESSION['member'] = …`. */
export function phpSessionKey(project: Project): string | undefined {
  return best(keysIn(project, /\.php$/, /\$_SESSION\s*\[\s*['"](\w+)['"]\s*\]\s*=(?!=)/g));
}

function keysIn(project: Project, files: RegExp, assignment: RegExp): readonly string[] {
  return project.files
    .filter((path) => files.test(path))
    .flatMap((path) => [...(project.read(path) ?? '').matchAll(assignment)].map(([, name = '']) => name));
}

function best(names: readonly string[]): string | undefined {
  return speaking.flatMap((words) => names.find((name) => words.test(name)) ?? [])[0];
}
