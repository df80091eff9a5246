import { type HttpResponse, optionalPersonFields } from '@gantry/wire';
import { knownCalls, readCalls, sizing, viewNames } from './manifest.ts';
import {
  factPatterns,
  maxCategories,
  maxData,
  maxDescription,
  maxLanguages,
  maxTitle,
  maxUrl,
  maxVersion,
} from './manifest-facts.ts';

const uses = listOf({ enum: knownCalls }, 'Names of the osapi calls that the app makes. Any other is refused.');
const fields = listOf({ enum: optionalPersonFields }, 'Profile fields that it reads, beyond those that always come.');
const page = { type: 'string', pattern: '^[^%.][^%]*\\.[Hh][Tt][Mm][Ll]?$' };
const title = { type: 'string', minLength: 1, maxLength: maxTitle };
const description = { type: 'string', minLength: 1, maxLength: maxDescription };
const version = { type: 'string', maxLength: maxVersion, pattern: factPatterns.version };
const url = { type: 'string', maxLength: maxUrl, pattern: factPatterns.url };

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
    name: { ...title, description: 'Title of the app.' },
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
    version: { ...version, description: 'Version of the app, as SemVer.' },
    data: {
      type: 'integer',
      minimum: 0,
      maximum: maxData,
      description: 'Raise it when older code cannot read what newer code wrote.',
    },
    description: { ...description, description: 'What members can do with it.' },
    icon: {
      type: 'string',
      pattern: factPatterns.icon,
      description: "Path of a PNG, WebP or SVG in the app's folder.",
    },
    author: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: { name: title, url, email: { type: 'string', pattern: factPatterns.email } },
      description: 'Who makes it.',
    },
    categories: listOf({ type: 'string', pattern: factPatterns.category }, 'Words such as games.', maxCategories),
    website: { ...url, description: 'Page about the app.' },
    support: { ...url, pattern: factPatterns.support, description: 'Page or mailto: address for help.' },
    privacy: { ...url, description: 'Page about what it does with data.' },
    changelog: { ...url, description: 'Page about its versions.' },
    languages: {
      type: 'object',
      maxProperties: maxLanguages,
      propertyNames: { pattern: factPatterns.language },
      additionalProperties: { type: 'object', additionalProperties: false, properties: { name: title, description } },
      description: 'Name and description by language tag.',
    },
    minimumGantry: { ...version, description: 'First version of Gantry that it runs on.' },
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

function listOf<Items extends object>(items: Items, description: string, maxItems = 50) {
  return { type: 'array', maxItems, items, description } as const;
}
