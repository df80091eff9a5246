import type { AppData, AppDataByMember } from '@gantry/wire';
import { element, elementParts, valueElement } from './elements.ts';

/** AppData in XML and Atom: its keys are text, not names of elements (contract §3). One `<entry>` for each member. */
export function* appDataParts(byMember: AppDataByMember): Generator<string> {
  for (const [memberId, data] of Object.entries(byMember)) {
    yield* elementParts('entry', pairsOf(memberId, data));
  }
}

function* pairsOf(memberId: string, data: AppData): Generator<string> {
  yield valueElement('personId', memberId);
  for (const [key, value] of Object.entries(data)) {
    yield element('entry', valueElement('key', key) + valueElement('value', value));
  }
}
