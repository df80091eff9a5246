import type { AppDataByMember, OperationId, WireError } from '@gantry/wire';
import { appDataParts } from './app-data.ts';
import { element, elementParts, memberElements, valueElement, xmlDeclaration } from './elements.ts';
import { isAppData, isList, type Result, type ResultContext } from './result.ts';

/** A result as an XML document (contract §3). */
export function* xmlParts(result: Result, { operationId }: Pick<ResultContext, 'operationId'>): Generator<string> {
  yield xmlDeclaration;
  yield* elementParts('response', members(result, operationId));
}

function* members(result: Result, operationId: OperationId): Generator<string> {
  if (!isList(result)) {
    if (isAppData(operationId)) yield* appDataParts(result.entry as AppDataByMember);
    else yield valueElement('entry', result.entry);
    return;
  }
  const { entry, startIndex, itemsPerPage, totalResults } = result;
  yield memberElements({ startIndex, itemsPerPage, totalResults });
  for (const item of entry) yield valueElement('entry', item);
}

/** A failure, of an XML and of an Atom request (contract §4). */
export function xmlError({ code, message }: Pick<WireError, 'code' | 'message'>): string {
  return xmlDeclaration + element('response', valueElement('error', { code, message }));
}
