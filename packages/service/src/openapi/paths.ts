import { isWorking, type OperationId, operation, operations, type Route } from '@gantry/wire';
import type { Settings } from '../settings.ts';
import type { OperationObject, PathItem, RequestBody, Response } from './document.ts';
import { parametersOf } from './parameters.ts';
import { failuresOf, inThreeFormats } from './responses.ts';
import { results, summaries } from './rows.ts';
import { schemaRef } from './schemas.ts';

/**
 * Path items of all rows of the operations table, and of the further spellings of those that work. Of one row after the
 * other, so that a page made from them has the order of the API document.
 */
export function restPaths({ apiVersion }: Pick<Settings, 'apiVersion'>): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  const add = ({ method, path }: Route, object: OperationObject) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: object };
  };
  for (const id of Object.keys(operations) as OperationId[]) {
    const row = operation(id);
    for (const [index, route] of [row, ...(isWorking(id) ? (row.also ?? []) : [])].entries()) {
      add({ method: route.method, path: pathIn(route.path, id, apiVersion) }, operationObject(id, route, index));
    }
  }
  return paths;
}

/** In version 0.9.3 the friend list has another name, except of albums (contract §7). */
function pathIn(path: string, id: OperationId, apiVersion: Settings['apiVersion']): string {
  return apiVersion === '0.9.3' && operation(id).topic !== 'albums' ? path.replace('/@friends', '/@friend') : path;
}

function operationObject(id: OperationId, { path }: Route, index: number): OperationObject {
  const { topic, status, osapi, permission, extension } = operation(id);
  const schemas = isWorking(id) ? results[id] : [];
  const isList = schemas.some((name) => name.endsWith('List'));
  const body = bodies[id];
  return {
    operationId: index === 0 ? id : `${id}.${index + 1}`,
    tags: [topic],
    summary: summaries[id],
    parameters: parametersOf(id, path, { isList }),
    ...(body && { requestBody: body }),
    responses: { ...(isWorking(id) && { '200': success(id) }), ...failuresOf(id) },
    'x-gantry-status': status,
    'x-gantry-call': osapi,
    'x-gantry-permission': permission,
    ...(extension && { 'x-gantry-extension': extension }),
    ...(index > 0 && { 'x-gantry-spelling-of': id }),
  };
}

function success(id: keyof typeof results): Response {
  const refs = results[id].map(schemaRef);
  const schema = refs.length > 1 ? { oneOf: refs } : schemaRef(results[id][0]);
  const xmlSchema = results[id][0] === 'AppDataByMember' ? schemaRef('AppDataByMemberXml') : schema;
  const isRead = operation(id).method === 'GET';
  return {
    description: isRead ? 'What the requestor may see.' : 'It is stored.',
    ...(isRead && {
      headers: { ETag: { description: 'Changes whenever the answer does.', schema: { type: 'string' } } },
    }),
    content: inThreeFormats(schema, xmlSchema),
  };
}

const bodies: { readonly [Id in OperationId]?: RequestBody } = {
  'activities.create': { required: true, content: inThreeFormats(schemaRef('NewActivity')) },
  'appData.update': { required: true, content: inThreeFormats(schemaRef('NewAppData'), schemaRef('AppDataXml')) },
};
