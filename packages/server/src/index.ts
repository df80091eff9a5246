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
  UsageError,
  upstreamSettings,
} from './configuration.ts';
export { copyPrivately } from './copy-privately.ts';
export { createGantry, type Gantry, type GantryOptions, openStores, type Stores } from './create-gantry.ts';
export { createSiteProxy, kindOf, openProxyStores } from './create-site-proxy.ts';
export { defaultLimits, type Limits } from './edge/limits.ts';
export { rotateTokenKeys } from './keys.ts';
export { type Fetch, listen, type NodeServer } from './node-server.ts';
export { isPostgres, openDatabase, printable } from './open-database.ts';
export { type RunningServer, runServer, type ServerOptions, startServer } from './run-server.ts';
export { handedConnections, runWorkers } from './workers.ts';
