import type { Project } from '../project/project.ts';
import { lineOf } from '../project/script.ts';
import { scriptsWith } from './node-source.ts';

/** Key of a session that seems to name the member: a guess, with the place that sets it. */
export interface SessionKey {
  readonly key: string;
  readonly path: string;
  readonly line: number;
}

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
const builtIn = /^(cookie|id|save|destroy|regenerate|reload|touch|maxAge)$/;

/** Returns the session's key of the member in Node code: `request.session.memberId = …`. */
export function nodeSessionKey(project: Project): SessionKey | undefined {
  const keys = scriptsWith(project, /session/).flatMap(({ path, nodes }) =>
    nodes.flatMap((node): SessionKey[] => {
      if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return [];
      const { object, property, computed } = node.left;
      if (object.type !== 'MemberExpression' || object.property.type !== 'Identifier') return [];
      if (object.property.name !== 'session') return [];
      const isName = property.type === 'Identifier' && !computed;
      const key = isName ? property.name : property.type === 'StringLiteral' ? property.value : '';
      return /^[\w$]+$/.test(key) && !builtIn.test(key) ? [{ key, path, line: lineOf(node) }] : [];
    }),
  );
  return best(keys);
}

/** Returns the same for Python: `session['member_id'] = …`. */
export function flaskSessionKey(project: Project): SessionKey | undefined {
  return best(matchesIn(project, /\.py$/, /\bsession\s*\[\s*['"](\w+)['"]\s*\]\s*=(?!=)/g));
}

/** Returns the same for PHP: `$_SESSION['member'] = …`. */
export function phpSessionKey(project: Project): SessionKey | undefined {
  return best(matchesIn(project, /\.php$/, /\$_SESSION\s*\[\s*['"](\w+)['"]\s*\]\s*=(?!=)/g));
}

/** Lists what a pattern's first group matches in files, with its places. */
export function matchesIn({ files, read }: Project, paths: RegExp, pattern: RegExp): readonly SessionKey[] {
  return files
    .filter((path) => paths.test(path))
    .flatMap((path) => {
      const text = read(path) ?? '';
      return [...text.matchAll(pattern)].map(({ 1: key = '', index }) => ({
        key,
        path,
        line: text.slice(0, index).split('\n').length,
      }));
    });
}

function best(keys: readonly SessionKey[]): SessionKey | undefined {
  return speaking.flatMap((words) => keys.find(({ key }) => words.test(key)) ?? [])[0];
}
