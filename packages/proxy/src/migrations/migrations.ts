import type { Migration } from '@gantry/store';
import { appRegistrations } from './app-registrations.ts';
import { events } from './events.ts';
import { grants } from './grants.ts';
import { having } from './having.ts';
import { registrations } from './registrations.ts';
import { writeLog } from './write-log.ts';

/** The proxy's own tables: what it needs before any upstream. */
export const proxyMigrations: readonly Migration[] = [
  appRegistrations,
  writeLog,
  grants,
  events,
  having,
  registrations,
];
