import { sql } from '@gantry/store';

/** SQL for the clock of a PostgreSQL, in milliseconds since the epoch. */
export const postgresNowMs = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
