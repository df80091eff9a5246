import { type OperationId, type OsapiName, operation, operationIds } from './operations.ts';

/** Rows of each call, by its name in `osapi`. */
export const callRows: ReadonlyMap<string, readonly OperationId[]> = Map.groupBy(
  operationIds,
  (id) => operation(id).osapi,
);

/** Names of calls, by their aliases. */
export const callAliases: ReadonlyMap<string, OsapiName> = new Map(
  operationIds.flatMap((id) => {
    const { aliases = [], osapi } = operation(id);
    return aliases.map((alias) => [alias, osapi as OsapiName] as const);
  }),
);
