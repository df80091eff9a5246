export { appDeclares, declaredBy } from './access/declared.ts';
export { type AppAddresses, appsHostProblem, createAppAddresses } from './apps/app-addresses.ts';
export { appFacts } from './apps/app-facts.ts';
export type { AppFile } from './apps/app-files.ts';
export { contentTypeOf } from './apps/content-types.ts';
export { appHeaders, sandboxOf } from './apps/document-headers.ts';
export { type DocumentSource, folderSource, noSuchFile } from './apps/document-source.ts';
export { jsonProblem } from './apps/json-problem.ts';
export { findKnownApp, type KnownApp } from './apps/known-app.ts';
export { checkManifest, type Manifest, maxManifestBytes, viewsOf } from './apps/manifest.ts';
export { readManifest } from './apps/read-manifest.ts';
export {
  type AppRegistration,
  planRegistration,
  type RegisterOptions,
  type RegistrationMode,
  runPlan,
} from './apps/register-app.ts';
export {
  type AppPlace,
  isRegistered,
  listApps,
  noFolder,
  type RegisteredApp,
  replaceAppSecret,
} from './apps/registrations.ts';
export { removeApp } from './apps/remove-app.ts';
export { serveScript } from './apps/scripts.ts';
export { isForAuthors, isServed } from './apps/served-files.ts';
export type { CallContext, Middleware } from './call-path.ts';
export { type ChangeSource, logAppChange } from './events/changes.ts';
export { proxyChangeLog } from './events/proxied-changes.ts';
export {
  allGrants,
  forgetMembers,
  type GrantStore,
  listGrants,
  membersWithGrants,
  revokeGrants,
  saveDecision,
} from './grants/grants.ts';
export type { BufferedRequest } from './http/page-request.ts';
export { responseOf } from './http/responses.ts';
export { createInstallReporter } from './installs/install-reporter.ts';
export { reportAppEnd } from './installs/install-reports.ts';
export type { Installs } from './installs/installs.ts';
export { proxyMigrations } from './migrations.ts';
export { createProxy, type GadgetProxy } from './proxy.ts';
export type { ProxyObserver } from './proxy-observer.ts';
export type { ProxyOptions } from './proxy-options.ts';
export { type AppRegistryOptions, createAppRegistry } from './registry/app-registry.ts';
export type { AuthorStatement } from './registry/author-statement.ts';
export type {
  AppStatus,
  ChangeFacts,
  HistoryAnswer,
  KeyAnswer,
  MissingAnswer,
  PushAnswer,
  ShownState,
  VersionFacts,
  VersionReport,
} from './registry/messages.ts';
export { firstRegistration } from './registry/present-app.ts';
export type { LocalRequest } from './registry/registry.ts';
export {
  addRegistryKey,
  endRegistryKeys,
  type KeyMay,
  keyMays,
  listRegistryKeys,
  maxAppsOfKey,
  maxKeyDays,
  type RegistryKey,
  revokeRegistryKey,
} from './registry/registry-keys.ts';
export { isRegistryPath } from './registry/registry-routes.ts';
export type { AddedVersion, SiteApps, VersionChange } from './registry/site-apps.ts';
export type { SaidPermission, VersionDifference } from './registry/version-difference.ts';
export { createHttpUpstream } from './upstream/http-upstream.ts';
export { createServiceUpstream } from './upstream/service-upstream.ts';
export type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream/upstream.ts';
export {
  type AuditEntry,
  auditEntry,
  audited,
  type LoggedAudit,
  listAudit,
  maxAuditEntries,
} from './versions/audit.ts';
export { chunkCopies } from './versions/chunk-copies.ts';
export { type ChunkStore, createChunkStore, maxStoredBytes, storedBytes } from './versions/chunk-store.ts';
export { decideVersion, planDecision, type VersionDecision } from './versions/decide-version.ts';
export { manifestOfList } from './versions/list-manifest.ts';
export { type LiveChange, pointTo } from './versions/live-version.ts';
export {
  decidePreview,
  endPreview,
  findPreview,
  listPreviews,
  offerPreview,
  type Preview,
} from './versions/previews.ts';
export { readFolder } from './versions/read-folder.ts';
export {
  findVersion,
  listVersions,
  type NewVersion,
  nameVersion,
  planVersion,
  runVersionPlan,
  type StoredVersion,
  storeVersion,
  type VersionName,
  type VersionPlan,
  type VersionState,
  type VersionStores,
  type VersionSummary,
} from './versions/stored-versions.ts';
export { keptVersions, sweepVersions } from './versions/sweep.ts';
export { packVersion, readTar } from './versions/tar.ts';
export {
  chunkBytes,
  chunksOf,
  maxFileBytes,
  maxFiles,
  maxVersionBytes,
  toVersionList,
  type VersionFile,
  type VersionList,
} from './versions/version-list.ts';
export { storeChunks, type VersionSource } from './versions/version-source.ts';
