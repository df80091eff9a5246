import { activityRows } from './operations/activities.ts';
import { albumRows } from './operations/albums.ts';
import { appDataRows } from './operations/app-data.ts';
import { mediaItemRows } from './operations/media-items.ts';
import type { Operation, Route, Topic } from './operations/operation.ts';
import { peopleRows } from './operations/people.ts';

/**
 * Every row of the API document's §4 as data. Routes, handlers, permissions, the proxy's rules, the
 * OpenAPI document and the table in docs/rest-api.md come from it. `serviceColumns` has the columns
 * that pages do not need.
 */
export const operations = { ...peopleRows, ...activityRows, ...appDataRows, ...albumRows, ...mediaItemRows } as const;

/** Name of a row, for example `people.getFriends`. */
export type OperationId = keyof typeof operations;

/** Names of the rows that work. A handler map over this type is complete or does not compile. */
export type WorkingOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['status'] extends 'works' ? Id : never;
}[OperationId];

/** Topics that apps can write. */
export type WrittenTopic = Extract<
  (typeof operations)[WorkingOperationId],
  { readonly stales: readonly Topic[] }
>['topic'];

/** Name of a call as apps write it, for example `people.get`. */
export type OsapiName = (typeof operations)[OperationId]['osapi'];

/** Names of the calls that have a row that works. */
export type WorkingOsapiName = (typeof operations)[WorkingOperationId]['osapi'];

/** Names of all rows, in the order of the API document. */
export const operationIds = Object.keys(operations) as readonly OperationId[];

/** Returns the row named `id`, with its optional columns visible to the type checker. */
export function operation(id: OperationId): Operation {
  return operations[id];
}

/** Returns all routes of a row, its own first. */
export function routesOf(id: OperationId): readonly Route[] {
  const { method, path, also = [], alsoMethods = [] } = operation(id);
  const paths = [path, ...also].map((each) => ({ method, path: each }));
  return [...paths, ...alsoMethods.map((each) => ({ method: each, path }))];
}

/** Returns true for a row that works. */
export function isWorking(id: OperationId): id is WorkingOperationId {
  return operation(id).status === 'works';
}
