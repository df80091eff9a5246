import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContainer, defineGadgetElement, GantryGadget } from '@gantry/container';
import { expect, test } from 'vitest';

// In Node, where there is no browser.

interface Named {
  readonly name: string;
}

interface Described {
  readonly tagName: string;
  readonly attributes: readonly Named[];
  readonly members: readonly Named[];
  readonly events: readonly Named[];
  readonly slots: readonly Named[];
  readonly cssParts: readonly Named[];
  readonly cssProperties: readonly Named[];
}

const script = fileURLToPath(new URL('../../../scripts/custom-elements.mjs', import.meta.url));
const described: Described = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })).modules[0]
  .declarations[0];
const names = (list: readonly Named[]) => list.map(({ name }) => name).sort();
const folder = new URL('../src/', import.meta.url);
const source = globSync('{*,consent/*}.ts', { cwd: folder })
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')
  .replace(/^ \*.*$/gm, '');
const inSource = (pattern: RegExp) =>
  [...new Set([...source.matchAll(pattern)].map(([, name]) => name as string))].sort();

test('a server may import the element and write its tag (site owner’s guide)', () => {
  const container = createContainer({ base: 'https://site.test/gantry/' });
  expect(() => defineGadgetElement(container)).not.toThrow();
  expect('document' in globalThis).toBe(false);
});

test('the manifest has every attribute that the element observes', () => {
  const observed = GantryGadget.observedAttributes;
  expect(names(described.attributes)).toEqual([...observed].sort());
  expect(described.tagName).toBe('gantry-gadget');
});

test('the manifest has the properties and methods that users may touch, and nothing else', () => {
  expect(names(described.members)).toEqual(
    ['app', 'budgets', 'heading', 'loading', 'menu', 'owner', 'reload', 'state', 'stop', 'view'].sort(),
  );
});

test('the manifest has the parts and slots that the element renders', () => {
  const parts = inSource(/(?:part="|part: '|part\.add\(')([\w-]+)/g);
  expect(names(described.cssParts)).toEqual(parts);
  expect(names(described.slots)).toEqual(['', ...inSource(/(?:<slot name="|'slot', { name: ')([\w-]+)/g)]);
});

test('the manifest has the variables that the element reads', () => {
  expect(names(described.cssProperties)).toEqual(inSource(/var\((--gantry-[\w-]+)/g));
});
