export { type Database, type Row, StoreError, type StoreReason } from './database.ts';
export { type Migration, type MigrationSet, migrate } from './migrate.ts';
export { openPostgres, type PostgresOptions } from './postgres.ts';
export { seal, unseal } from './seal.ts';
export { type SqlValue, type Statement, sql } from './sql.ts';
export { openSqlite, type SqliteOptions } from './sqlite.ts';
export { copySqlite, damageOf } from './sqlite-files.ts';
