import type { AppDataByMember } from '@gantry/wire';
import { element, valueElement } from './elements.ts';

/** AppData in XML and Atom: its keys are text, not names of elements (contract §3). One `<entry>` for each member. */
export function appDataElements(byMember: AppDataByMember): string {
  return Object.entries(byMember)
    .map(([memberId, data]) => {
      const pairs = Object.entries(data).map(([key, value]) =>
        element('entry', valueElement('key', key) + valueElement('value', value)),
      );
      return element('entry', valueElement('personId', memberId) + pairs.join(''));
    })
    .join('');
}
