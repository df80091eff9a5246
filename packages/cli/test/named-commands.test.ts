import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../src/index.ts';

const root = join(import.meta.dirname, '../../..');
const texts = globSync(
  [
    '*.md',
    'docs/**/*.md',
    '{demo,deploy,examples,scripts}/**/*.{md,ts,tsx,js,mjs,json,html,php,py,sh,conf,service,yml,vue}',
    'packages/*/{src,bin,starters}/**/*.{ts,js,html,json}',
  ],
  { cwd: root, exclude: (name) => /(^|[\\/])(node_modules|dist)$/.test(name) },
).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Lines that tell somebody to run a package that anybody could have published under that name. */
const foreign = (text: string) => text.split('\n').filter((line) => /\bnpx (-\S+ )*gantry\s+\S/.test(line));

test('no text tells anybody to run npx gantry, which outside of a clone is whatever has that name (site owner’s guide)', () => {
  expect(foreign('run `npx gantry app list`')).toHaveLength(1);
  expect(texts.length).toBeGreaterThan(300);
  expect(texts.flatMap(({ path, text }) => foreign(text).map((line) => `${path}: ${line.trim()}`))).toEqual([]);
});

test('every npx @gantry/cli in the docs names a command that there is (site owner’s guide)', async () => {
  const lines: string[] = [];
  await main(['--help'], {}, { out: (line) => lines.push(line), err: () => {} });
  const commands = [...lines.join('\n').matchAll(/^ {2}(\w+) {2,}[A-Z]/gm)].map(([, name]) => name);
  const named = texts.flatMap(({ text }) => [...text.matchAll(/npx @gantry\/cli ([a-z]+)/g)].map(([, name]) => name));
  expect(commands).toContain('init');
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !commands.includes(name))).toEqual([]);
});
