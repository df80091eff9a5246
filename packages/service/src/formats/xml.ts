import type { AppData, AppDataByMember, OperationId, WireError } from '@gantry/wire';
import { element, elementParts, memberElements, valueElement, xmlDeclaration } from './elements.ts';
import { isAppData, isList, type Result, type ResultContext } from './result.ts';

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

/** Returns an error as XML, for XML and Atom requests (contract §4). */
export function xmlError({ code, message }: Pick<WireError, 'code' | 'message'>): string {
  return xmlDeclaration + element('response', valueElement('error', { code, message }));
}

/** Yields an `<entry>` for each member: keys are text, not element names (contract §3). */
export function* appDataParts(byMember: AppDataByMember): Generator<string> {
  for (const [memberId, data] of Object.entries(byMember)) {
    yield element('entry', valueElement('personId', memberId) + pairsOf(data));
  }
}

function pairsOf(data: AppData): string {
  let pairs = '';
  for (const [key, value] of Object.entries(data)) {
    pairs += element('entry', valueElement('key', key) + valueElement('value', value));
  }
  return pairs;
}
