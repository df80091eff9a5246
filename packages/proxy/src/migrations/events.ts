import type { Migration } from '@gantry/store';
import { proxyChanges } from '../own-changes.ts';

/** What was written through the proxy, before an upstream that tells nothing (docs/decisions/0020-events.md). */
export const events: Migration = { number: 4, name: 'events', statements: [proxyChanges.create] };
