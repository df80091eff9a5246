import type { Migration } from '@gantry/store';
import { appRegistrations } from './app-registrations.ts';
import { events } from './events.ts';
import { grants } from './grants.ts';
import { installReports } from './install-reports.ts';
import { registrations } from './registrations.ts';
import { writeLog } from './write-log.ts';

/** Migrations of the proxy's own tables. */
export const proxyMigrations: readonly Migration[] = [
  appRegistrations,
  writeLog,
  grants,
  events,
  installReports,
  registrations,
];
