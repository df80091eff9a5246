import '@gantry/store/require-node';

export { type AddedApp, type AppSource, addApp } from './apps/add-app.ts';
export { type AppFacts, countMembers, listRegistered, readFacts } from './apps/app-facts.ts';
export { type FilesPlace, readFiles } from './apps/app-files.ts';
export { isBuildFolder } from './apps/app-id.ts';
export { dropApp, setPaused } from './apps/app-lifecycle.ts';
export type { ChangeOptions } from './apps/attempt.ts';
export { findNamed, type HistoryEntry, listHistory, shownDigits, versionLabel } from './apps/history.ts';
export { endAppPreview, previewApp } from './apps/preview-app.ts';
export { findRollback, type Rollback, rollbackApp } from './apps/rollback.ts';
export { siteApps } from './apps/site-apps.ts';
export { describeKnown, placeText } from './apps/taken-id.ts';
export {
  type Configuration,
  configuration,
  dataFlags,
  readServerConfiguration,
  serverFlags,
  siteFlags,
  strongKey,
  upstreamSettings,
} from './configuration.ts';
export { createGantry } from './create-gantry.ts';
export { createSiteProxy } from './create-site-proxy.ts';
export { copyPrivateFile } from './data/copy-private-file.ts';
export { databaseKind } from './data/database-kind.ts';
export type { Keys } from './data/key-ring.ts';
export { resealKeys, rotateTokenKeys } from './data/keys.ts';
export { forgetNonces, openDatabase } from './data/open-database.ts';
export { openOwnDatabase } from './data/open-own-database.ts';
export { openProxyStores, openSiteBucket, openStores } from './data/open-stores.ts';
export { replaceKeys } from './data/replace-keys.ts';
export { bringUpToDate, schemaOf } from './data/schema.ts';
export { hasSealedKeys } from './data/sealed-keys.ts';
export { siteHaving, siteMigrations } from './data/site-having.ts';
export type { OpenStores, Stores } from './data/stores.ts';
export { readUnfinishedMove } from './data/unfinished-move.ts';
export { defaultLimits, type Limits } from './edge/limits.ts';
export type { Gantry, GantryHandler, GantryOptions, SiteViewer } from './gantry.ts';
export { listen, type NodeServer } from './http/node-server.ts';
export type { Fetch } from './http/request-listener.ts';
export { handedConnections } from './processes/worker-process.ts';
export { runWorkers } from './processes/workers.ts';
export { type RunningServer, runServer, runUntilStopped, type ServerOptions, startServer } from './run-server.ts';
export { checkIsolation, hostProblem } from './self-test/start-check/check-isolation.ts';
export { isPostgres, printableDatabase } from './setup/database-address.ts';
export { withEnvironmentFile } from './setup/environment-file.ts';
export { readLogLevel } from './setup/log-level.ts';
export { createRedaction, type SecretOptions, secretTexts, secretVariables } from './setup/secrets.ts';
export { startWarnings } from './setup/start-checks.ts';
export { UsageError } from './setup/usage-error.ts';
export { webRootEvidence } from './setup/web-root.ts';
export { type NodeListener, type NodeListenerOptions, toNodeListener } from './to-node-listener.ts';
export type { ToolOptions } from './tool-options.ts';
