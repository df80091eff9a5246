import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContainer, defineGadgetElement, GantryGadget } from '@gantry/container';
import { expect, test } from 'vitest';

// In Node, where there is no browser.

interface Named {
  readonly name: string;
}

interface Attribute extends Named {
  readonly description: string;
}

interface Described {
  readonly tagName: string;
  readonly attributes: readonly Attribute[];
  readonly members: readonly Named[];
  readonly events: readonly Named[];
  readonly slots: readonly Named[];
  readonly cssParts: readonly Named[];
  readonly cssProperties: readonly Named[];
}

const script = fileURLToPath(new URL('../../../../scripts/custom-elements.mjs', import.meta.url));
const texts: Readonly<Record<string, string>> = JSON.parse(
  execFileSync(process.execPath, [script], { encoding: 'utf8' }),
);
const written = (name: string) => JSON.parse(texts[`dist/${name}`] ?? 'null');
const described: Described = written('custom-elements.json').modules[0].declarations[0];
const names = (list: readonly Named[]) => list.map(({ name }) => name).sort();
const folder = new URL('../../src/', import.meta.url);
const source = globSync('{element/*,consent/*,outbox/*,chrome/palette-styles,load/app-document}.ts', { cwd: folder })
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

test('the manifest has the events that the element dispatches', () => {
  const files = globSync('**/*.ts', { cwd: folder });
  const code = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const events = [...code.matchAll(/dispatch\('(gantry-[\w-]+)'/g)].map(([, name]) => name as string);
  expect(names(described.events)).toEqual([...new Set(events)].sort());
});

test('the types in the source are those of the manifest: after a change to the doc comment, run the build', () => {
  expect(readFileSync(new URL('gadget-types.ts', folder), 'utf8')).toBe(texts['src/gadget-types.ts']);
});

test('a server may import the types of React and Vue, which are nothing at run time', async () => {
  expect({ ...(await import('@gantry/container/react')) }).toEqual({});
  expect({ ...(await import('@gantry/container/vue')) }).toEqual({});
});

test('editors learn the attributes and their values', () => {
  const [tag] = written('vscode.html-custom-data.json').tags;
  expect(tag.name).toBe('gantry-gadget');
  expect(names(tag.attributes)).toEqual(names(described.attributes));
  expect(tag.attributes.find(({ name }: Named) => name === 'loading')).toEqual({
    name: 'loading',
    description: described.attributes.find(({ name }) => name === 'loading')?.description,
    values: [{ name: 'lazy' }, { name: 'eager' }],
  });
  const [element] = written('web-types.json').contributions.html.elements;
  expect(names(element.js.events)).toEqual(names(described.events));
  expect(names(element.css.parts)).toEqual(names(described.cssParts));
});
