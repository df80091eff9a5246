import { type HttpResponse, optionalPersonFields } from '@gantry/wire';
import { knownCalls, readCalls, sizing, viewNames } from './manifest.ts';

const uses = listOf({ enum: knownCalls }, 'Names of the osapi calls that the app makes. Any other is refused.');
const fields = listOf({ enum: optionalPersonFields }, 'Profile fields that it reads, beyond those that always come.');
const page = { type: 'string', pattern: '^[^%.][^%]*\\.[Hh][Tt][Mm][Ll]?$' };

/** JSON Schema of `gadget.json`, for editors. `gantry app add` also checks pages and preloads. */
export const manifestJsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'gadget.json',
  description: 'What an app says about itself.',
  type: 'object',
  required: ['name', 'page'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string', minLength: 1, maxLength: 100, description: 'Title of the app.' },
    page: { ...page, description: "Its page: the path of an HTML file in the app's folder." },
    views: {
      type: 'object',
      propertyNames: { pattern: `^(${viewNames.join('|')})(\\.[A-Za-z0-9_.-]+)?$` },
      additionalProperties: page,
      description: 'Pages of single views, by view.',
    },
    sizing: { enum: sizing, description: 'Who decides about the height of the frame.' },
    height: { type: 'integer', minimum: 1, maximum: 5000, description: 'First height in CSS pixels.' },
    uses,
    fields,
    optional: {
      type: 'object',
      additionalProperties: false,
      properties: { uses, fields },
      description: 'What it may ask for while it runs.',
    },
    hosts: listOf({ type: 'string', pattern: '^https?://[a-z0-9.-]+(:[0-9]+)?$' }, 'Origins that its page loads from.'),
    preload: listOf(
      {
        type: 'object',
        required: ['operation'],
        additionalProperties: false,
        properties: { operation: { enum: readCalls }, params: { type: 'object' } },
      },
      'Calls whose results are fetched before the frame exists.',
    ),
    storage: { type: 'boolean', description: 'Keeps data in the browser; needs a host of its own.' },
  },
} as const;

/** Answers `GET|HEAD /gantry/manifest.schema.json`, for editors on any origin. */
export function schemaResponse(): HttpResponse {
  const headers = {
    'Content-Type': 'application/schema+json; charset=utf-8',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
  };
  return { status: 200, headers, body: JSON.stringify(manifestJsonSchema, undefined, 2) };
}

function listOf<Items extends object>(items: Items, description: string) {
  return { type: 'array', maxItems: 50, items, description } as const;
}
