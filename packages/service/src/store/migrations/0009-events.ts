import type { Migration } from '@gantry/store';
import { siteChanges } from '../versions.ts';

/** Change log in order, for open pages (docs/decisions/0020-events.md). */
export const events: Migration = { number: 9, name: 'events', statements: [siteChanges.create] };
