import { type Migration, sql } from '@gantry/store';

/** Adds the log of writes and their outcomes (docs/decisions/0021-writes-happen-once.md). */
export const writeLog: Migration = {
  number: 2,
  name: 'write log',
  statements: [
    sql`create table write_log (
      viewer text not null,
      app text not null,
      id text not null,
      digest text not null,
      state text not null check (state in ('started', 'done', 'unknown')),
      attempt text not null,
      reply text,
      at_ms bigint not null,
      primary key (viewer, app, id)
    )`,
    sql`create index write_log_oldest on write_log (at_ms)`,
  ],
};
