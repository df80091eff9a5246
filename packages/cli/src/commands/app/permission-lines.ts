import type { PermissionName } from '@gantry/wire';
import { wordsOf } from '../../app-check/check-app.ts';

/** Returns a line for each permission, in the words that members read. */
export function permissionLines(names: readonly PermissionName[]): readonly string[] {
  return names.map((each) => `  - ${wordsOf(each)} (${each})`);
}
