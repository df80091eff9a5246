import type { Instance } from '@gantry/wire';
import { topOf } from './chrome/view-name.ts';

/** Returns the absolute URL of an app's document for a view. */
export function documentOf({ document, documents = {} }: Instance, view: string): string {
  return documents[view] ?? documents[topOf(view)] ?? document;
}
