import type { AppData, AppDataByMember } from '@gantry/wire';
import { element, elementParts, valueElement } from './elements.ts';

/** Yields an `<entry>` for each member: keys are text, not element names (contract §3). */
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
