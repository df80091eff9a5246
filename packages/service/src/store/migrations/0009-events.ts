import type { Migration } from '@gantry/store';
import { siteChanges } from '../versions.ts';

/** What changed, in order, for pages that are open (docs/decisions/0020-events.md). */
export const events: Migration = { number: 9, name: 'events', statements: [siteChanges.create] };
