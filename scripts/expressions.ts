// `npm run lint` for regular expressions: those that take exponential or polynomial time.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { type ESTree, parseSync, Visitor } from 'vite';

/** An expression in a file that texts can make slow. Lines count from 1. */
export interface SlowExpression {
  readonly line: number;
  readonly problem: string;
}

type Sequence = readonly AST.Element[];

const root = join(import.meta.dirname, '..');
const code = /\.(?:ts|tsx|mjs|js)$/;
const leftOut = /^fixtures\/|\/dist\//;
/** Repetitions from which on a bounded quantifier counts as an unbounded one. */
const many = 20;
/** Characters by which sets are compared: Latin, spaces, other scripts, an emoji. */
const samples = [
  ...Array.from({ length: 0x180 }, (_, index) => index),
  ...[0x2003, 0x2028, 0x3b1, 0x416, 0x5d0, 0x300, 0x4e2d, 0xfeff, 0x1f600],
].map((point) => String.fromCodePoint(point));

/**
 * Finds literals, and constant parts of `new RegExp`, in which a repetition can be read in several
 * ways: nested in another one, or next to one with characters in common.
 *
 * It does not find expressions that begin anew at each place of a long text, such as `/<a[^>]*>/g`.
 * A comment above that begins with `linear:` says why one is not slow after all.
 */
export function slowExpressions(path: string, text: string): SlowExpression[] {
  const problems: SlowExpression[] = [];
  const check = (at: number, pattern: string, flags: string): void => {
    const lines = text.slice(0, at).split('\n');
    if (lines.slice(-3).some((one) => /^\s*\/\/ linear: \S/.test(one))) return;
    const line = lines.length;
    for (const problem of slowParts(pattern, flags)) problems.push({ line, problem });
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) check(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
      const pattern = textOf(node.arguments[0]);
      if (pattern !== undefined) check(node.start, pattern, textOf(node.arguments[1]) ?? '');
    },
  }).visit(parseSync(path, text).program);
  return problems;
}

/** Returns the text of a string or a template, with a word for each inserted value. */
function textOf(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('(?:word)');
  return undefined;
}

/** Returns a text for each part of an expression that is slow. */
export function slowParts(pattern: string, flags: string): readonly string[] {
  let parsed: AST.Pattern;
  try {
    const [unicode, unicodeSets] = [flags.includes('u'), flags.includes('v')];
    parsed = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode, unicodeSets });
  } catch {
    return []; // an inserted value was more than a word
  }
  const charsOf = charReader(flags);
  const problems: string[] = [];
  visitRegExpAST(parsed, {
    onQuantifierEnter(outer) {
      if (!isRepeated(outer)) return;
      for (const inner of repetitionsIn(outer.element)) {
        if (!isSeparated(inner, outer, charsOf)) problems.push(`${inner.raw} is repeated in ${outer.raw}`);
      }
      const single = alternativesOf(outer.element).flatMap(({ elements: [only, more] }) =>
        only && !more ? [only] : [],
      );
      for (const [index, one] of single.entries()) {
        const other = single
          .slice(0, index)
          .find((other) => isChar(one) && isChar(other) && meet(charsOf(one), charsOf(other)));
        if (other) problems.push(`${other.raw} and ${one.raw} have characters in common in ${outer.raw}`);
      }
    },
    onAlternativeEnter({ elements }) {
      const flat = flattened(elements);
      for (const [index, first] of flat.entries()) {
        if (first.type !== 'Quantifier' || !isRepeated(first)) continue;
        for (const next of flat.slice(index + 1)) {
          const isUnclear = () => meet(edgeOf(first, -1, charsOf), edgeOf(next, 0, charsOf));
          if (next.type === 'Quantifier' && isRepeated(next) && isUnclear())
            problems.push(`${first.raw} and ${next.raw} have characters in common`);
          if (!canBeEmpty(next) || (isBoundary(next) && [...charsOf(first)].every(isWordChar))) break;
        }
      }
    },
  });
  return [...new Set(problems)];
}

function isRepeated({ max }: AST.Quantifier): boolean {
  return max >= many;
}

function alternativesOf(node: AST.Node): readonly AST.Alternative[] {
  return node.type === 'Group' || node.type === 'CapturingGroup' ? node.alternatives : [];
}

/** Returns the repetitions in an element, without those in lookarounds. */
function repetitionsIn(element: AST.Element): readonly AST.Quantifier[] {
  if (element.type === 'Quantifier')
    return [...(isRepeated(element) ? [element] : []), ...repetitionsIn(element.element)];
  return alternativesOf(element).flatMap(({ elements }) => elements.flatMap(repetitionsIn));
}

/**
 * Returns whether each turn of `outer` holds something beside `inner` that `inner` cannot hold, so
 * that a text says where its turns end.
 */
function isSeparated(inner: AST.Quantifier, outer: AST.Quantifier, charsOf: CharsOf): boolean {
  const chars = charsOf(inner);
  for (let node: AST.Node = inner; node !== outer && node.parent; node = node.parent) {
    const { parent } = node;
    if (parent.type !== 'Alternative') continue;
    const others = parent.elements.filter((element) => element !== node);
    if (others.some((element) => !canBeEmpty(element) && !meet(charsOf(element), chars))) return true;
  }
  return false;
}

/** Returns a sequence with the content of groups that are there once and have one form. */
function flattened(elements: Sequence): Sequence {
  return elements.flatMap((element) => {
    const [only, ...others] = alternativesOf(element);
    return only && others.length === 0 ? flattened(only.elements) : [element];
  });
}

function canBeEmpty(element: AST.Element): boolean {
  if (element.type === 'Quantifier') return element.min === 0 || canBeEmpty(element.element);
  if (element.type === 'Assertion') return true;
  const alternatives = alternativesOf(element);
  return alternatives.length > 0 && alternatives.some(({ elements }) => elements.every(canBeEmpty));
}

/** Returns the characters with which an element begins (`0`) or ends (`-1`). */
function edgeOf(element: AST.Element, at: 0 | -1, charsOf: CharsOf): ReadonlySet<string> {
  if (element.type === 'Quantifier') return edgeOf(element.element, at, charsOf);
  if (isChar(element)) return charsOf(element);
  const edge = new Set<string>();
  for (const { elements } of alternativesOf(element)) {
    for (const one of at === 0 ? elements : elements.toReversed()) {
      for (const char of edgeOf(one, at, charsOf)) edge.add(char);
      if (!canBeEmpty(one)) break;
    }
  }
  return edge;
}

function isBoundary(element: AST.Element): boolean {
  return element.type === 'Assertion' && element.kind === 'word' && !element.negate;
}

function isWordChar(char: string): boolean {
  return /\w/.test(char);
}

function isChar(element: AST.Element): boolean {
  return ['Character', 'CharacterClass', 'CharacterSet'].includes(element.type);
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((char) => others.has(char));
}

type CharsOf = (element: AST.Element) => ReadonlySet<string>;

/** Returns a function that reads which samples occur in what an element matches. */
function charReader(flags: string): CharsOf {
  const cache = new Map<string, ReadonlySet<string>>();
  const relevant = flags.replace(/[^isuv]/g, '');
  const charsOf: CharsOf = (element) => {
    const before = cache.get(element.raw);
    if (before) return before;
    let chars: ReadonlySet<string> = new Set(element.type === 'Backreference' ? samples : []);
    if (element.type === 'Quantifier') chars = charsOf(element.element);
    else if (isChar(element)) {
      const one = new RegExp(`^${element.raw}$`, relevant);
      chars = new Set(samples.filter((char) => one.test(char)));
    } else {
      for (const { elements } of alternativesOf(element))
        for (const inner of elements) chars = new Set([...chars, ...charsOf(inner)]);
    }
    cache.set(element.raw, chars);
    return chars;
  };
  return charsOf;
}

if (process.argv[1] === import.meta.filename) {
  const named = process.argv.slice(2);
  const files = execFileSync('git', ['ls-files', '-z', '--', ...named], { cwd: root, encoding: 'utf8' }).split('\0');
  let count = 0;
  for (const path of files.filter((path) => code.test(path) && !leftOut.test(path))) {
    for (const { line, problem } of slowExpressions(path, readFileSync(join(root, path), 'utf8'))) {
      console.log(`${path}:${line} ${problem}`);
      count++;
    }
  }
  console.log(count === 0 ? 'Expressions: no problems.' : `Expressions: ${count} problems.`);
  process.exitCode = count === 0 ? 0 : 1;
}
