import {
  isWorking,
  type OperationId,
  operation,
  operationIds,
  type operations,
  type Route,
  routesOf,
  type ServiceColumns,
  type serviceColumns,
  serviceColumnsOf,
  type WorkingOperationId,
} from '@gantry/wire';
import type { Settings } from '../settings.ts';
import type { OperationObject, PathItem, Response, Schema } from './document.ts';
import { parametersOf } from './parameters.ts';
import { failuresOf, inThreeFormats } from './responses.ts';
import { schemaRef } from './schemas.ts';

/** Returns the paths and further spellings of all operations, in the order of the API document. */
export function restPaths({ apiVersion }: Pick<Settings, 'apiVersion'>): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  const add = ({ method, path }: Route, object: OperationObject) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: object };
  };
  for (const id of operationIds) {
    const routes = routesOf(id);
    for (const [index, route] of (isWorking(id) ? routes : routes.slice(0, 1)).entries()) {
      add({ method: route.method, path: pathIn(route.path, id, apiVersion) }, operationObject(id, route, index));
    }
  }
  return paths;
}

/** Returns the path in the site's version: 0.9.3 has another friend list (contract §7). */
function pathIn(path: string, id: OperationId, apiVersion: Settings['apiVersion']): string {
  return apiVersion === '0.9.3' && operation(id).topic !== 'albums' ? path.replace('/@friends', '/@friend') : path;
}

function operationObject(id: OperationId, { path }: Route, index: number): OperationObject {
  const { topic, status, osapi, permission } = operation(id);
  const { summary, extension, body } = serviceColumnsOf(id);
  return {
    operationId: index === 0 ? id : `${id}.${index + 1}`,
    tags: [topic],
    summary,
    parameters: parametersOf(id, path),
    ...(body && isWorking(id) && { requestBody: bodies[body] }),
    responses: { ...(isWorking(id) && { '200': success(id) }), ...failuresOf(id) },
    'x-gantry-status': status,
    'x-gantry-call': osapi,
    'x-gantry-permission': permission,
    ...(extension && { 'x-gantry-extension': extension }),
    ...(index > 0 && { 'x-gantry-spelling-of': id }),
  };
}

function success(id: WorkingOperationId): Response {
  const { topic, method } = operation(id);
  const { result } = serviceColumnsOf(id);
  const { schema, xml } = answers[`${topic}: ${result}` as Answered];
  const isRead = method === 'GET';
  return {
    description: isRead ? 'What the requestor may see.' : 'It is stored.',
    ...(isRead && {
      headers: { ETag: { description: 'Changes whenever the answer does.', schema: { type: 'string' } } },
    }),
    content: inThreeFormats(schema, xml),
  };
}

/** Kinds of answers that working rows have. */
type Answered = {
  [Id in WorkingOperationId]: `${(typeof operations)[Id]['topic']}: ${(typeof serviceColumns)[Id]['result']}`;
}[WorkingOperationId];

const answers: Readonly<Record<Answered, { readonly schema: Schema; readonly xml?: Schema }>> = {
  'people: entry': { schema: schemaRef('PersonEntry') },
  'people: list': { schema: schemaRef('PersonList') },
  'people: entry or list': { schema: { oneOf: [schemaRef('PersonEntry'), schemaRef('PersonList')] } },
  'activities: entry': { schema: schemaRef('ActivityEntry') },
  'activities: list': { schema: schemaRef('ActivityList') },
  'appData: by member': { schema: schemaRef('AppDataByMember'), xml: schemaRef('AppDataByMemberXml') },
  'appData: done': { schema: schemaRef('Done') },
  'albums: list': { schema: schemaRef('AlbumList') },
  'mediaItems: list': { schema: schemaRef('MediaItemList') },
};

const bodies: Readonly<Record<NonNullable<ServiceColumns['body']>, NonNullable<OperationObject['requestBody']>>> = {
  activity: { required: true, content: inThreeFormats(schemaRef('NewActivity')) },
  appData: { required: true, content: inThreeFormats(schemaRef('NewAppData'), schemaRef('AppDataXml')) },
};
