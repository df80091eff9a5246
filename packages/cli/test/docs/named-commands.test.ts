import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

const root = join(import.meta.dirname, '../../../..');
const texts = globSync(
  [
    '*.md',
    'docs/**/*.md',
    '{demo,deploy,examples,scripts}/**/*.{md,ts,tsx,js,mjs,json,html,php,py,sh,conf,service,yml,vue}',
    'packages/*/{src,bin,starters}/**/*.{ts,js,html,json}',
  ],
  { cwd: root, exclude: (name) => /(^|[\\/])(node_modules|dist)$/.test(name) },
).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Returns lines that run a package which anyone could publish under that name. */
const foreign = (text: string) => text.split('\n').filter((line) => /\bnpx (-\S+ )*gantry\s+\S/.test(line));

test('no text tells anybody to run npx gantry, which outside of a clone is whatever has that name (site owner’s guide)', () => {
  expect(foreign('run `npx gantry app list`')).toHaveLength(1);
  expect(texts.length).toBeGreaterThan(300);
  expect(texts.flatMap(({ path, text }) => foreign(text).map((line) => `${path}: ${line.trim()}`))).toEqual([]);
});

test('every npx @gantry/cli in the docs names a command that there is (site owner’s guide)', async () => {
  const { out } = await runCommand(['--help']);
  const commands = [...out.matchAll(/^ {2}(\w+) {2,}[A-Z]/gm)].map(([, name]) => name);
  const named = texts.flatMap(({ text }) => [...text.matchAll(/npx @gantry\/cli ([a-z]+)/g)].map(([, name]) => name));
  expect(commands).toContain('init');
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !commands.includes(name))).toEqual([]);
});

test('each flag of a gantry command in the docs is in its --help (guides)', async () => {
  const lines = texts
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => commandLines(text).map((line) => ({ path, ...line })));
  expect(lines.length).toBeGreaterThan(40);
  const helps = new Map<string, string>();
  for (const name of new Set(lines.map(({ command }) => command))) helps.set(name, await helpOf(name));
  const isKnown = (command: string, flag: string) => new RegExp(`${flag}(?![\\w-])`).test(helps.get(command) ?? '');
  expect(isKnown('dev', '--world')).toBe(true);
  expect(isKnown('dev', '--wor')).toBe(false);
  const unknown = lines.flatMap(({ path, command, flags }) =>
    flags.filter((flag) => !isKnown(command, flag)).map((flag) => `${path}: ${command} ${flag}`),
  );
  expect(unknown).toEqual([]);
});

/**
 * Commands of Gantry in the shell code of a page: `npx @gantry/cli …`, and create-gantry by
 * `npm exec`.
 */
function commandLines(text: string): { readonly command: string; readonly flags: readonly string[] }[] {
  const code = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.replaceAll('\\\n', ' '));
  return code
    .flatMap((block) => block.split('\n'))
    .flatMap((line) => {
      const [, command, rest = ''] =
        /(?:npx @gantry\/cli|-- (?=create-gantry)) ?([a-z-]+)((?:[^#|;&a-z-][^#|;&]*)?)/.exec(line) ?? [];
      return command ? [{ command, flags: rest.match(/(?<=\s)--[a-z-]+/g) ?? [] }] : [];
    });
}

async function helpOf(command: string): Promise<string> {
  const { code, out } = await runCommand([command === 'create-gantry' ? 'create' : command, '--help']);
  expect(code, command).toBe(0);
  return out;
}
