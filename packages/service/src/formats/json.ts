import type { AppDataByMember, OperationId } from '@gantry/wire';
import { isAppData, isList, type Result } from './result.ts';

// One call of `JSON.stringify` per item would cost as much as short items do.
const itemsOfPart = 20;
const membersOfPart = 8;

export function* jsonParts(result: Result, operationId: OperationId): Generator<string> {
  if (isList(result)) {
    const { entry, ...numbers } = result;
    if (entry.length <= itemsOfPart) yield JSON.stringify(result);
    else yield* listParts('entry', entry, numbers);
    return;
  }
  yield '{"entry":';
  yield* entryParts(result.entry, operationId);
  yield '}';
}

/** Yields a result as JSON-RPC: lists under gadgets' names, else without envelope (contract §8). */
export function rpcParts(result: Result, operationId: OperationId): Generator<string> {
  if (!isList(result)) return entryParts(result.entry, operationId);
  const { entry, ...numbers } = result;
  const { startIndex, totalResults, itemsPerPage } = numbers;
  return listParts('list', entry, { startIndex, totalResults, itemsPerPage });
}

function* listParts(name: string, items: readonly unknown[], numbers: object): Generator<string> {
  yield `{"${name}":[`;
  yield* slicesOf(items, itemsOfPart, JSON.stringify);
  yield `],${JSON.stringify(numbers).slice(1)}`;
}

function* entryParts(entry: unknown, operationId: OperationId): Generator<string> {
  if (!isAppData(operationId)) {
    yield JSON.stringify(entry);
    return;
  }
  yield '{';
  yield* slicesOf(Object.entries(entry as AppDataByMember), membersOfPart, (members) =>
    JSON.stringify(Object.fromEntries(members)),
  );
  yield '}';
}

/** Yields the content of a list or object, some items at a time, without its brackets. */
function* slicesOf<T>(items: readonly T[], size: number, textOf: (some: readonly T[]) => string): Generator<string> {
  for (let start = 0; start < items.length; start += size) {
    const part = textOf(items.slice(start, start + size)).slice(1, -1);
    yield start === 0 ? part : `,${part}`;
  }
}
