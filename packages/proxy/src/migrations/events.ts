import type { Migration } from '@gantry/store';
import { proxyChangeLog } from '../events/proxied-changes.ts';

/** Adds the log of writes through the proxy (docs/decisions/0020-events.md). */
export const events: Migration = { number: 4, name: 'events', statements: [proxyChangeLog.create] };
