import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../../wire/test/growth.ts';
import { expressApp, flaskApp } from '../../src/init/detect-framework.ts';
import { importPlace, wireExpress } from '../../src/init/express.ts';
import { listeningPort, type ModuleForm } from '../../src/init/node-source.ts';
import { maskJavaScript } from '../../src/project/mask-code.ts';

const form: ModuleForm = { extension: '.js', isTypeScript: false, hasImports: true, importEnding: '.js' };

/** Reads a source as `gantry init` does. */
function readSource(text: string): void {
  const source = { path: 'a.js', text, ...maskJavaScript(text) };
  expressApp(source);
  flaskApp(`from flask import Flask\n${text}`);
  listeningPort(source);
  importPlace(source, true, 0);
  try {
    wireExpress(source, form);
  } catch {
    // refused, which is fine
  }
}

const head = "import express from 'express';\nconst app = express();\n";

test.each<[string, number, (size: number) => string]>([
  ['imports that do not end', 2_000, (size) => 'import { \n'.repeat(size)],
  ['imports of nothing', 2_000, (size) => 'import x\n'.repeat(size)],
  ['brackets that do not close', 4_000, (size) => head + 'app.use('.repeat(size)],
  ['quotes that do not close', 16_000, (size) => `${head}'"\n`.repeat(1) + `'\n`.repeat(size)],
  ['slashes and stars', 16_000, (size) => '/*'.repeat(size)],
  ['white space', 32_000, (size) => `${head}app${' '.repeat(size)}`],
  ['ports', 3_000, (size) => 'port port='.repeat(size)],
])('a source of %s costs no more than reading it (security rule 25)', async (_, n, text) => {
  const prepare = (size: number) => {
    const source = text(size);
    return () => readSource(source);
  };
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('control: looking for the end of each import grows with the square (security rule 25)', async () => {
  const naive = (size: number) => {
    const text = 'import x\n'.repeat(size);
    return () => [...text.matchAll(/^import\b[^;'"]*['"]/gm)];
  };
  expect(await growth(300, naive)).toBeGreaterThan(mostGrowth);
});
