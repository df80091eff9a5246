export { type AddedApp, type AddOptions, type AppSource, addApp } from './apps/add-app.ts';
export { type AppFacts, listRegistered, readFacts } from './apps/app-facts.ts';
export { isBuildFolder } from './apps/app-id.ts';
export { countMembers } from './apps/app-members.ts';
export { dropApp, setPaused } from './apps/end-app.ts';
export { describeKnown } from './apps/taken.ts';
export { checkIsolation, hostTrouble } from './check-isolation.ts';
export {
  type Configuration,
  configuration,
  dataFlags,
  readServerConfiguration,
  serverFlags,
  upstreamSettings,
} from './configuration.ts';
export { copyPrivately } from './copy-privately.ts';
export { createGantry, openStores } from './create-gantry.ts';
export { createSiteProxy, kindOf, openProxyStores } from './create-site-proxy.ts';
export { defaultLimits, type Limits } from './edge/limits.ts';
export { withEnvironmentFile } from './environment-file.ts';
export type { Gantry, GantryHandler, GantryOptions, SiteViewer, Stores } from './gantry.ts';
export { type Keys, rotateTokenKeys } from './keys.ts';
export { listen, type NodeServer } from './node-server.ts';
export { isPostgres, openDatabase, printable } from './open-database.ts';
export type { Fetch } from './request-listener.ts';
export { type RunningServer, runServer, type ServerOptions, startServer } from './run-server.ts';
export { siteHaving, siteMigrations } from './site-having.ts';
export { startWarnings } from './start-checks.ts';
export { type NodeListener, type NodeListenerOptions, toNodeListener } from './to-node-listener.ts';
export type { OpenStores, ToolOptions } from './tool-options.ts';
export { UsageError } from './usage-error.ts';
export { handedConnections } from './worker-process.ts';
export { runWorkers } from './workers.ts';
