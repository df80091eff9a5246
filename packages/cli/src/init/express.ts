import { UsageError } from '@gantry/server';
import { endOfLine, indentAt, insert, lineOf } from '../project/edit-text.ts';
import { closingBracket } from '../project/mask-code.ts';
import { expressApp } from './detect-framework.ts';
import { importLine, importNames, type ModuleForm, memberNames, type NodeSource } from './node-source.ts';

/** Packages of session middleware. */
const sessionPackages = ['express-session', 'cookie-session', 'client-sessions', 'iron-session/express'];

/** Calls that read bodies or buffer responses: Gantry goes before them. */
const greedy = /^(?:[\w$]+\s*\.\s*)?(?:json|urlencoded|raw|text|bodyParser|compression|multer|fileUpload)\s*\(/;

/** Place in an Express app's file for Gantry. */
export interface Spot {
  /** Position after the statement that Gantry follows. */
  readonly at: number;
  /** Position of the statement that creates the app. */
  readonly made: number;
  readonly indent: string;
  readonly app: string;
  /** The app uses a session before this place. */
  readonly hasSession: boolean;
  readonly hasPassport: boolean;
}

/**
 * Finds the place for Gantry: after the session, which names the signed-in member, and before body
 * parsers.
 *
 * @throws UsageError with the lines to insert, if no place is right.
 */
export function expressSpot(source: NodeSource): Spot {
  const { path, text, bare } = source;
  const app = expressApp(source);
  if (!app) throw new UsageError(`${path} creates no Express app. ${byHand('app')}`);
  if (app.several) throw new UsageError(`${path} creates several Express apps. ${byHand('app')}`);
  const uses = usesOf(bare, app.name, app.at);
  const sessions = sessionNames(source);
  const isSession = ({ argument }: Use) =>
    sessions.some((name) => new RegExp(`^${name.replaceAll('$', '\\$')}\\b`).test(argument));
  const isPassport = ({ argument }: Use) => /^passport\s*\.\s*session\b/.test(argument);
  const before = uses.filter((use) => isSession(use) || isPassport(use)).at(-1);
  const at = before?.end ?? statementEnd(bare, app.at);
  const line = endOfLine(text, at);
  if (at === -1 || bare.slice(at, line).trim().replace(/^;/, '') !== '') {
    const where = lineOf(text, before?.start ?? app.at);
    throw new UsageError(`${path}:${where} is too complex to insert after it safely. ${byHand(app.name)}`);
  }
  const early = uses.find(({ start, argument }) => start < at && greedy.test(argument));
  if (early && before) {
    throw new UsageError(
      `${path}:${lineOf(text, early.start)} reads bodies or collects answers before the session of line ${lineOf(text, before.start)}. Move it below the session. ${byHand(app.name)}`,
    );
  }
  return {
    at: line,
    made: app.at,
    indent: indentAt(text, before?.start ?? app.at),
    app: app.name,
    hasSession: uses.some(isSession),
    hasPassport: uses.some(isPassport),
  };
}

/** Inserts the import and the call. A text that has both stays unchanged. */
export function wireExpress(source: NodeSource, form: ModuleForm): string {
  const { text, code } = source;
  if (isWired(code)) return text;
  const { at, made, indent, app } = expressSpot(source);
  const breaks = text[at - 1] === '\n' ? '' : '\n';
  return insert(text, [
    { at: importPlace(source, form.hasImports, made), text: importLine(form, 'gantryListener') },
    { at, text: `${breaks}${indent}${app}.use(gantryListener); // before what reads bodies, and before the 404\n` },
  ]);
}

/** Returns whether a file already imports the module. */
export function isWired(code: string): boolean {
  return /(?:\bfrom|\brequire\()\s*['"]\.{1,2}\/(?:[\w./-]*\/)?gantry(?:\.[mc]?[jt]s)?['"]/.test(code);
}

/**
 * Returns the position for another import: after the last one at the start of a line, else at the
 * start of the code.
 *
 * @param before Position of the code that needs it: a `require` below would come too late.
 */
export function importPlace({ text, code, bare }: NodeSource, hasImports: boolean, before: number): number {
  const pattern = hasImports
    ? /^import\b[^;'"]{0,4000}['"][^'"\n]*['"][^\n]*$/gm
    : /^(?:const|let|var)\b[^;\n]*\brequire\(\s*['"][^'"\n]*['"]\s*\)(?!\s*\()[^\n]*$/gm;
  const last = [...code.matchAll(pattern)].filter(({ index }) => hasImports || index < before).at(-1);
  if (last) return endOfLine(text, last.index + last[0].length);
  const start = /^\uFEFF?(?:#![^\n]*\n)?/.exec(text)?.[0].length ?? 0;
  const directive = /^\s*(['"])[^'"\n]*\1;?[^\n]*\n/.exec(bare.slice(start)); // 'use strict'
  return start + (directive?.[0].length ?? 0);
}

interface Use {
  readonly start: number;
  readonly end: number;
  /** First argument, without the content of strings. */
  readonly argument: string;
}

/** Lists the calls `app.use(…)` in order, without nested ones. An unclosed one ends the list. */
function usesOf(bare: string, app: string, from: number): readonly Use[] {
  const uses: Use[] = [];
  const calls = bare.matchAll(new RegExp(`(?<![\\w$.])${app.replaceAll('$', '\\$')}\\s*\\.\\s*use\\s*\\(`, 'g'));
  for (const { 0: call, index } of calls) {
    if (index < (uses.at(-1)?.end ?? from)) continue;
    const open = index + call.length - 1;
    const close = closingBracket(bare, open);
    if (close === -1) break;
    uses.push({ start: index, end: semicolon(bare, close + 1), argument: bare.slice(open + 1, close).trim() });
  }
  return uses;
}

function statementEnd(bare: string, from: number): number {
  const open = bare.indexOf('(', from);
  const call = /require\s*$/.test(bare.slice(from, open)) ? bare.indexOf('(', open + 1) : open;
  const close = closingBracket(bare, call);
  return close === -1 ? -1 : semicolon(bare, close + 1);
}

function semicolon(bare: string, at: number): number {
  return bare[at] === ';' ? at + 1 : at;
}

/** Returns the names of session middleware and of variables that hold one. */
function sessionNames(source: NodeSource): readonly string[] {
  const makers = sessionPackages.flatMap((name) => [
    ...importNames(source, name),
    ...memberNames(source, name, 'session'),
  ]);
  if (makers.length === 0) return [];
  const names = makers.map((name) => name.replaceAll('$', '\\$')).join('|');
  const variables = [...source.bare.matchAll(new RegExp(`(?<![\\w$.])([\\w$]+)\\s*=\\s*(?:${names})\\s*\\(`, 'g'))];
  return [...makers, ...variables.map(([, name = '']) => name)];
}

function byHand(app: string): string {
  return `Write ${app}.use(gantryListener) after the session and before body parsers, with gantryListener imported from ./gantry, and run gantry init again.`;
}
