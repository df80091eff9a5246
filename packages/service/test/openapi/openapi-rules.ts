import type { OpenApiDocument } from '../../src/openapi/document.ts';

/** Rules of OpenAPI 3.1.1 for the subset in use, as JSON Schema 2020-12. */
export const openApiRules = {
  $ref: '#/$defs/document',
  $defs: {
    document: {
      type: 'object',
      properties: {
        openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
        info: exactly({ title: { type: 'string' }, version: { type: 'string' }, description: { type: 'string' } }),
        servers: { type: 'array', items: { $ref: '#/$defs/server' } },
        security: { type: 'array', items: { type: 'object', additionalProperties: { type: 'array' } } },
        tags: {
          type: 'array',
          items: exactly({ name: { type: 'string' }, description: { type: 'string' } }, ['name']),
        },
        paths: {
          type: 'object',
          propertyNames: { pattern: '^/' },
          additionalProperties: { $ref: '#/$defs/pathItem' },
        },
        components: exactly({
          schemas: named({ type: ['object', 'boolean'] }),
          parameters: named({ $ref: '#/$defs/parameter' }),
          responses: named({ $ref: '#/$defs/response' }),
          securitySchemes: named(exactly({ type: { const: 'http' }, scheme: { type: 'string' }, description: {} })),
        }),
      },
      required: ['openapi', 'info', 'paths'],
      additionalProperties: false,
    },
    server: exactly({ url: { type: 'string' }, description: { type: 'string' } }, ['url']),
    pathItem: {
      type: 'object',
      properties: { servers: { type: 'array', items: { $ref: '#/$defs/server' } } },
      patternProperties: { '^(get|put|post|delete)$': { $ref: '#/$defs/operation' } },
      additionalProperties: false,
    },
    operation: {
      type: 'object',
      properties: {
        operationId: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        summary: { type: 'string' },
        description: { type: 'string' },
        parameters: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/reference' } },
        requestBody: exactly({ required: { type: 'boolean' }, content: { $ref: '#/$defs/content' } }),
        responses: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^([1-5](\\d\\d|XX)|default)$' },
          additionalProperties: { anyOf: [{ $ref: '#/$defs/reference' }, { $ref: '#/$defs/response' }] },
        },
      },
      patternProperties: { '^x-': {} },
      required: ['responses'],
      additionalProperties: false,
    },
    parameter: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        in: { enum: ['query', 'header', 'path', 'cookie'] },
        required: { type: 'boolean' },
        description: { type: 'string' },
        schema: { type: ['object', 'boolean'] },
      },
      required: ['name', 'in', 'schema'],
      // A path names all of its parameters.
      anyOf: [
        { properties: { in: { enum: ['query', 'header', 'cookie'] } } },
        { properties: { required: { const: true } }, required: ['required'] },
      ],
      additionalProperties: false,
    },
    response: exactly(
      {
        description: { type: 'string' },
        headers: {
          type: 'object',
          additionalProperties: exactly({ description: { type: 'string' }, schema: { type: 'object' } }),
        },
        content: { $ref: '#/$defs/content' },
      },
      ['description'],
    ),
    content: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]+/[a-z+-]+$' },
      additionalProperties: exactly({ schema: { type: ['object', 'boolean'] } }),
    },
    reference: exactly({ $ref: { type: 'string', pattern: '^#/components/' } }),
  },
};

function exactly(properties: Readonly<Record<string, object>>, required = Object.keys(properties)) {
  return { type: 'object', properties, required, additionalProperties: false };
}

function named(schema: object) {
  return { type: 'object', propertyNames: { pattern: '^[a-zA-Z0-9._-]+$' }, additionalProperties: schema };
}

/**
 * Returns faults that no schema detects: dangling references, duplicate names, missing parameters.
 */
export function brokenRules(document: OpenApiDocument): readonly string[] {
  const broken: string[] = [];
  for (const $ref of references(document)) {
    if (at(document, $ref) === undefined) broken.push(`${$ref} leads nowhere`);
  }
  const ids = new Set<string>();
  const shapes = new Set<string>();
  for (const [path, { servers: _, ...verbs }] of Object.entries(document.paths)) {
    const shape = path.replaceAll(/\{\w+\}/g, '{}');
    if (shapes.has(shape)) broken.push(`${path} is another path`);
    shapes.add(shape);
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    for (const operation of Object.values(verbs)) {
      const { operationId, parameters = [], tags } = operation as Exclude<typeof operation, readonly unknown[]>;
      if (ids.has(operationId)) broken.push(`${operationId} is there twice`);
      ids.add(operationId);
      const rows = parameters.map(
        (one) => ('$ref' in one ? (at(document, one.$ref) as typeof one & Named) : one) as Named,
      );
      const inPath = rows.filter((one) => one.in === 'path').map(({ name }) => name);
      if (inPath.toSorted().join() !== names.toSorted().join()) broken.push(`${path} has parameters ${inPath}`);
      if (new Set(rows.map((one) => `${one.in} ${one.name}`)).size < rows.length) broken.push(`${path} repeats one`);
      if (!document.tags.some(({ name }) => name === tags[0])) broken.push(`${tags[0]} is no tag`);
    }
  }
  for (const name of document.security.flatMap(Object.keys)) {
    if (!(name in document.components.securitySchemes)) broken.push(`${name} is no security scheme`);
  }
  return broken;
}

interface Named {
  readonly name: string;
  readonly in: string;
}

function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
  );
}

function at(document: OpenApiDocument, $ref: string): unknown {
  const steps = $ref.slice(2).split('/');
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);
}
