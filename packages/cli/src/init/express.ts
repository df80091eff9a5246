import {
  type Call,
  calledName,
  callsOf,
  lineOf,
  type Node,
  nodesIn,
  type Script,
  type Statement,
} from '../project/script.ts';
import { insertLine, type OwnStatement, pasteLines, statementOf, type Use, type Wiring } from './insert-line.ts';
import type { ModuleForm } from './node-source.ts';

/** Origin of the call that creates an app. */
export const expressOrigin = /^express(\.express)?$/;

/** Middleware that makes `request.session`. */
const sessionOrigin =
  /^(express-session|cookie-session(\.session)?|client-sessions|iron-session\/express|express\.(session|cookieSession))$/;

export interface ExpressWiring extends Wiring {
  readonly hasSession: boolean;
}

/**
 * Inserts Gantry after the session, which names the signed-in member, if nothing of the app comes
 * before it that reads bodies or sets headers.
 *
 * @param hasKey The site's code names a member in each request, so that Gantry must come after it.
 */
export function wireExpress(script: Script, form: ModuleForm, hasKey: boolean): ExpressWiring {
  const { text, program, nodes } = script;
  const [call, ...others] = callsOf(script, expressOrigin);
  const app = call && others.length === 0 ? statementOf(script, call) : undefined;
  const passport = nodes.filter((node): node is Call => isPassportSession(script, node));
  const sessions = [...callsOf(script, sessionOrigin), ...passport];
  const hasSession = hasKey || sessions.length > 0;
  const use: Use = { name: 'gantryListener', line: (name) => `${app?.name ?? 'app'}.use(${name});` };
  const last = app?.rest.findLast((each) => usesOne(each, app.name, sessions)) ?? app?.statement;
  const doubt = app ? doubtAbout(app, sessions, hasKey) : 'no one statement makes the one app';
  const after = doubt === undefined && last ? insertLine(script, form, last, use) : undefined;
  if (after !== undefined) return { hasSession, after };
  const where = `after the session and before what reads bodies (${doubt ?? 'the code there is not plain'})`;
  const paste = pasteLines(script, form, sessions.at(-1) ?? last ?? call ?? program, use, where);
  return { hasSession, after: text, paste };
}

/** Returns why no place is right for certain, if so. */
function doubtAbout({ name, rest }: OwnStatement, sessions: readonly Call[], hasKey: boolean): string | undefined {
  const here = rest.filter((each) => usesOne(each, name, sessions));
  if (here.length < sessions.length || (hasKey && here.length === 0)) return 'no line of its own uses the session';
  const before = rest.slice(0, here.length === 0 ? 0 : rest.indexOf(here.at(-1) as Statement));
  const early = before.find(
    (each) =>
      !here.includes(each) &&
      !(each.type === 'ExpressionStatement' && isCallOf(each.expression, name, /^(set|enable|disable)$/)) &&
      [...nodesIn(each)].some((node) => node.type === 'Identifier' && node.name === name),
  );
  return early && `line ${lineOf(early)} comes before the session, and Gantry may have to come before it`;
}

/** Returns whether a statement is `app.use(session(…))`. */
function usesOne(statement: Statement, app: string, sessions: readonly Call[]): boolean {
  if (statement.type !== 'ExpressionStatement') return false;
  const { expression } = statement;
  return isCallOf(expression, app, /^use$/) && sessions.includes((expression as Call).arguments[0] as Call);
}

/** Returns whether code is `passport.session()` or `passport.authenticate('session')`. */
function isPassportSession({ imports }: Script, node: Node): boolean {
  const names = ['passport', ...[...imports].flatMap(([name, from]) => (from === 'passport' ? name : []))];
  if (names.some((name) => isCallOf(node, name, /^session$/))) return true;
  const [first] = node.type === 'CallExpression' ? node.arguments : [];
  const isSession = first?.type === 'StringLiteral' && first.value === 'session';
  return isSession && names.some((name) => isCallOf(node, name, /^authenticate$/));
}

/** Returns whether code is `object.method(…)`. */
function isCallOf(node: Node, object: string, method: RegExp): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object: called } = node.callee;
  return called.type === 'Identifier' && called.name === object && method.test(calledName(node) ?? '');
}
