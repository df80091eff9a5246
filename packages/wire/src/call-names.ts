import { type OperationId, operation, operationIds } from './operations.ts';

/** Rows of each call, by its name in `osapi`. */
export const callRows: ReadonlyMap<string, readonly OperationId[]> = Map.groupBy(
  operationIds,
  (id) => operation(id).osapi,
);
