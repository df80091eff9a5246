import './require-node.ts';

export { type BearerKey, bearerKeyId, isBearerKey, newBearerKey } from './bearer-key.ts';
export { type Blobs, type Bucket, factsOfBytes, maxBlobBytes, withEarlier } from './blobs/blobs.ts';
export { type BlobCopies, type BlobPlace, copyBlob, placeOf, readNames } from './blobs/copy-blob.ts';
export { createFolderBlobs, type OpenNew, openNew } from './blobs/folder-blobs.ts';
export { type BucketPlace, bucketDeadlineMs, openBucket, parseBucket } from './blobs/open-bucket.ts';
export { type ChangeFeed, createChangeFeed } from './change-feed.ts';
export { type ChangeLog, changeLog, type LoggedChange } from './change-log.ts';
export { pruneChanges } from './change-retention.ts';
export { flushedPosition, hasReplayed, withCopies } from './copies.ts';
export { type Copies, type Database, type Row, StoreError, type StoreReason, type Wakes } from './database.ts';
export { type Every, every } from './every.ts';
export { createListeners, type Listener, type Listeners } from './listeners.ts';
export { type Migration, type MigrationSet, migrate, missingMigrations } from './migrate.ts';
export {
  type ByteRange,
  FileChanged,
  fileChunkBytes,
  isPassingFault,
  type OpenFile,
  openFile,
  readRegularFile,
} from './open-file.ts';
export { openPostgres } from './postgres.ts';
export { deleteExpired, deleteSomeExpired } from './retention.ts';
export { seal, unseal } from './seal.ts';
export { createSharedRates, type SharedRatesOptions, sharedRatesTable } from './shared-rates.ts';
export { type SqlValue, type Statement, sql } from './sql.ts';
export { openSqlite, type SqliteOptions } from './sqlite.ts';
export { openSqliteCopy } from './sqlite-copy.ts';
export { copySqlite, findDamage } from './sqlite-files.ts';
