import { manifestJsonSchema } from './manifest-schema.ts';

/** Answers `GET|HEAD /gantry/manifest.schema.json`, for editors anywhere. */
export function schemaResponse({ method }: Request): Response {
  const headers = {
    'Content-Type': 'application/schema+json; charset=utf-8',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
  };
  return new Response(method === 'HEAD' ? null : JSON.stringify(manifestJsonSchema, undefined, 2), { headers });
}
