import { checkManifest } from '@gantry/proxy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { members, viewNames } from '../../src/apps/manifest.ts';
import { manifestJsonSchema } from '../../src/apps/manifest-schema.ts';
import { openSite } from '../site.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

/** As much of JSON Schema as ours uses. */
function isValid(schema: Schema, value: unknown): boolean {
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.type === 'boolean') return typeof value === 'boolean';
  if (schema.type === 'integer') {
    return Number.isInteger(value) && Number(value) >= (schema.minimum ?? 0) && Number(value) <= (schema.maximum ?? 0);
  }
  if (schema.type === 'string' || schema.pattern !== undefined) {
    if (typeof value !== 'string' || !new RegExp(schema.pattern ?? '', 'u').test(value)) return false;
    const { length } = [...value];
    return length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
  }
  if (schema.type === 'array') {
    const { items, maxItems = 0 } = schema;
    return Array.isArray(value) && value.length <= maxItems && value.every((item) => isValid(items ?? {}, item));
  }
  if (schema.type === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const { properties = {}, additionalProperties: rest = true, propertyNames = {}, required = [] } = schema;
    if (required.some((name) => !Object.hasOwn(value, name))) return false;
    if (Object.keys(value).length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) return false;
    return Object.entries(value).every(([name, member]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return (
        isValid(propertyNames, name) &&
        (property ? isValid(property, member) : rest && isValid(rest === true ? {} : rest, member))
      );
    });
  }
  return true;
}

function isAccepted(manifest: unknown): boolean {
  try {
    checkManifest(manifest);
    return true;
  } catch {
    return false;
  }
}

test('the schema has every member of a manifest and no other', () => {
  expect(Object.keys(manifestJsonSchema.properties).toSorted()).toEqual(
    ['$schema', ...Object.keys(members)].toSorted(),
  );
});

const junk = fc.constantFrom<unknown>(null, 1, 'x', [], {}, true, 'people.steal', 5001, 1.5);
const mostly = <T>(good: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: junk });
const fact = (good: readonly unknown[], bad: readonly unknown[]) =>
  fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...good) }, fc.constantFrom(...bad), junk);
const [name, url] = ['Friends', 'https://a.example'];
const fields = fc.subarray(['aboutMe', 'birthday', 'age']);
const uses = fc.subarray(['people.get', 'appdata.update', 'albums.create']);
const page = fc.constantFrom('index.html', 'a/b.htm', 'x.HTML');
const manifest = fc.record(
  {
    name: mostly(fc.constantFrom('Friends', 'Ü')),
    page: mostly(page),
    views: mostly(fc.dictionary(fc.constantFrom(...viewNames, 'canvas.map', 'nowhere'), page, { maxKeys: 2 })),
    sizing: mostly(fc.constantFrom('fixed', 'maximal', 'automatic')),
    height: mostly(fc.integer({ min: 1, max: 5000 })),
    uses: mostly(uses),
    fields: mostly(fields),
    optional: mostly(fc.record({ uses, fields }, { requiredKeys: [] })),
    hosts: mostly(fc.subarray(['https://a.example', 'http://localhost:9000'])),
    storage: mostly(fc.boolean()),
    version: fact(['1.4.2', '1.0.0-rc.1'], ['1.0', '01.0.0']),
    data: fact([0, 1_000_000], [-1, 1_000_001]),
    description: fact(['🙂'.repeat(500)], ['🙂'.repeat(501)]),
    icon: fact(['icon.svg', 'a/b.PNG'], ['icon.gif', '.a/icon.png']),
    author: fact([{ name, url, email: 'a@b.example' }, { name }], [{ url }, { name, url: 'a' }, { name, mail: '' }]),
    categories: fact([[], Array(5).fill('two-words')], [Array(6).fill('games'), ['Games']]),
    website: fact([url, `${url}/b?c#d`], ['http://a.example', 'https://a@b.example']),
    support: fact([url, 'mailto:a@b.example'], ['a@b.example', 'mailto:a@b.example?c=d']),
    languages: fact(
      [{ de: { name }, 'pt-BR': { description: 'Amigos' } }],
      [
        { de_AT: { name } },
        { de: { url } },
        Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`de-x${i}`, {}])),
      ],
    ),
    minimumGantry: fact(['0.0.1'], ['1']),
    hieght: fc.constant(1),
  },
  { requiredKeys: [] },
);
// The member with a misspelled name comes seldom enough for the others to matter.
const candidate = fc
  .tuple(manifest, fc.integer({ max: 9, min: 0 }))
  .map(([{ hieght, ...rest }, chance]) => (chance === 0 ? { ...rest, hieght } : rest));

test('the schema accepts what registering accepts, and refuses what it refuses', () => {
  let accepted = 0;
  fc.assert(
    fc.property(candidate, (json) => {
      const plain: unknown = JSON.parse(JSON.stringify(json));
      if (isAccepted(plain)) accepted += 1;
      expect(isValid(manifestJsonSchema, plain)).toBe(isAccepted(plain));
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(100); // control: both kinds were tried
});

test('the schema is served for editors on any origin', async () => {
  const site = await openSite();
  const response = await site.get('/gantry/manifest.schema.json');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(manifestJsonSchema)));
});
