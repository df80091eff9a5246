// `npm run lint` for prose: how comments begin, and how wide comments and Markdown are.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A place in a file, and the rule that it breaks. Lines count from 1. */
export interface ProseProblem {
  readonly line: number;
  readonly problem: string;
}

interface Comment {
  readonly kind: 'block' | 'line';
  readonly first: number;
  readonly lines: string[];
}

const root = join(import.meta.dirname, '..');
const width = 100;
const relative = /^(?:What|Where|Wherever|Who|Whom|Whose|Whoever|Whatever|How|Whether|Of|Which|Why|Nobody)\b/;
const question = /^[^.]*\?$/;
const code = /\.(?:ts|tsx|mjs|js|vue)$/;
const leftOut = /^fixtures\/|^THIRD-PARTY\.md$|\/dist\/|\/test\/.*\.md$|^packages\/container\/src\/gadget-types\.ts$/;

/**
 * Finds comments and paragraphs that break the rules for prose in CONTRIBUTING.md.
 *
 * @param path Decides by its ending between code and Markdown.
 */
export function proseProblems(path: string, text: string): ProseProblem[] {
  return path.endsWith('.md') ? wideMarkdown(text) : code.test(path) ? comments(text).flatMap(commentProblems) : [];
}

/** Returns the comments that have lines of their own, each with its first line's number. */
function comments(text: string): Comment[] {
  const result: Comment[] = [];
  let open: Comment | undefined;
  let isBlock = false;
  for (const [index, line] of text.split('\n').entries()) {
    const begins = /^\s*\/\*\*/.test(line);
    const isLine = !isBlock && /^\s*\/\/(?: |$)/.test(line);
    if (begins || (isLine && open?.kind !== 'line')) {
      open = { kind: begins ? 'block' : 'line', first: index + 1, lines: [] };
      result.push(open);
    } else if (!isBlock && !isLine) open = undefined;
    if (begins) isBlock = true;
    open?.lines.push(line);
    if (isBlock && line.includes('*/')) {
      isBlock = false;
      open = undefined;
    }
  }
  return result;
}

function commentProblems({ first, lines }: Comment): ProseProblem[] {
  const wide = lines.flatMap((line, index) => (isWide(line) ? [{ line: first + index, problem: tooWide }] : []));
  const prose = lines.map((line) => line.replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/) ?/, '').replace(/\*\/\s*$/, ''));
  const bad = sentences(prose).filter(({ text }) => relative.test(text) && !question.test(text));
  return [...wide, ...bad.map(({ line, text }) => ({ line: first + line, problem: beginning(text) }))];
}

/** Returns each sentence's beginning, examples and code left out. A tag's text begins one too. */
function sentences(lines: readonly string[]): { readonly line: number; readonly text: string }[] {
  const result = [];
  let isExample = false;
  let isNew = true;
  for (const [line, text] of lines.entries()) {
    if (/^@|^\s*$/.test(text)) isNew = true;
    if (/^@/.test(text)) isExample = text.startsWith('@example');
    if (isExample) continue;
    const prose = text.replace(/^@\w+(?: \{.*?\})?(?: [\w.[\]]+(?= [A-Z`]))? ?/, '').replace(/^[-*] /, '');
    if (isNew && prose.trim()) result.push({ line, text: prose.trim() });
    for (const [, rest = ''] of prose.matchAll(/(?<=[.:)?!`\w]{2}[.?!] )((?=[A-Z]).*)/g))
      result.push({ line, text: rest });
    if (prose.trim()) isNew = /[.?!]$/.test(prose.trim());
  }
  return result;
}

function wideMarkdown(text: string): ProseProblem[] {
  const problems: ProseProblem[] = [];
  let fence: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark) fence = fence === undefined ? mark[0] : fence === mark[0] ? undefined : fence;
    else if (fence === undefined && !/^\s*(?:\||#|<|\[[^\]]+\]:)/.test(line) && isWide(line))
      problems.push({ line: index + 1, problem: tooWide });
  }
  return problems;
}

const tooWide = `prose is wider than ${width} columns`;

function isWide(line: string): boolean {
  const isBreakable = /\S \S/.test(
    line
      .trim()
      .replace(/^(?:\*|\/\/|\/\*\*|[-*]|\d+\.)\s+/, '')
      .replace(/`[^`]*`|\{.*\}|\]\([^)]*\)/g, ''),
  );
  return [...line].length > width && isBreakable && !/@fires|biome-ignore/.test(line);
}

function beginning(text: string): string {
  return `a sentence begins with “${text.split(/\s/)[0]}”: begin with a verb or a noun`;
}

if (process.argv[1] === import.meta.filename) {
  const named = process.argv.slice(2);
  const files = execFileSync('git', ['ls-files', '-z', '--', ...named], { cwd: root, encoding: 'utf8' }).split('\0');
  let count = 0;
  for (const path of files.filter((path) => (code.test(path) || path.endsWith('.md')) && !leftOut.test(path))) {
    for (const { line, problem } of proseProblems(path, readFileSync(join(root, path), 'utf8'))) {
      console.log(`${path}:${line} ${problem}`);
      count++;
    }
  }
  console.log(count === 0 ? 'Prose: no problems.' : `Prose: ${count} problems.`);
  process.exitCode = count === 0 ? 0 : 1;
}
