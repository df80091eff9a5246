import { type AppDataByMember, operation, type WireError } from '@gantry/wire';
import { appDataElements } from './app-data.ts';
import { element, memberElements, valueElement, xmlDeclaration } from './elements.ts';
import { isList, type Result, type ResultContext } from './result.ts';

/** A result as an XML document (contract §3). */
export function xmlResult(result: Result, { operationId }: Pick<ResultContext, 'operationId'>): string {
  return xmlDeclaration + element('response', members(result, operation(operationId)));
}

function members(result: Result, { topic, method }: ReturnType<typeof operation>): string {
  if (isList(result)) {
    const { entry, startIndex, itemsPerPage, totalResults } = result;
    const items = entry.map((item) => valueElement('entry', item)).join('');
    return memberElements({ startIndex, itemsPerPage, totalResults }) + items;
  }
  if (topic === 'appData' && method === 'GET') return appDataElements(result.entry as AppDataByMember);
  return valueElement('entry', result.entry);
}

/** A failure, of an XML and of an Atom request (contract §4). */
export function xmlError({ code, message }: Pick<WireError, 'code' | 'message'>): string {
  return xmlDeclaration + element('response', valueElement('error', { code, message }));
}
