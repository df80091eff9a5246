export { appDeclares, declaredBy } from './access.ts';
export type { CacheOutcome } from './answer-cache.ts';
export { type AppAddresses, appsHostProblem, createAppAddresses } from './app-addresses.ts';
export { type AppFile, contentTypeOf } from './app-files.ts';
export { isAuthorsOwn } from './app-path.ts';
export type { Limit } from './call-limits.ts';
export type { Asking, Send, Stage } from './call-path.ts';
export type { Log } from './calls.ts';
export { appChanged, type Changes } from './changes.ts';
export { type DocumentRequest, type DocumentSource, folderSource, noSuchFile } from './document-source.ts';
export type { EventLimits } from './events.ts';
export { forgetMember } from './forget-member.ts';
export type { TokenKey } from './gadget-token.ts';
export {
  allAllowed,
  type Decision,
  type Decisions,
  decide,
  type GrantedApp,
  listGrants,
  membersWhoAllowed,
  revokeGrants,
} from './grants.ts';
export type { AppMember, AppUse, Having, HavingDecision } from './having.ts';
export { reportEnd } from './having-log.ts';
export { createHavingReports, type HavingReports, type HavingReportsOptions } from './having-reports.ts';
export { createHttpUpstream } from './http-upstream.ts';
export { type JsonProblem, jsonProblem } from './json-problem.ts';
export { findKnownApp, type KnownApp } from './known-app.ts';
export { checkManifest, type Manifest, readManifest, viewsOf } from './manifest.ts';
export { manifestJsonSchema } from './manifest-schema.ts';
export { proxyMigrations } from './migrations/migrations.ts';
export { proxyChanges } from './own-changes.ts';
export type { PageRequest } from './page-request.ts';
export { createProxy, type GadgetProxy, type ProxyOptions } from './proxy.ts';
export type { Limited, ProxyObserver, Refusal } from './proxy-observer.ts';
export {
  type AppRegistration,
  planRegistration,
  type RegisterOptions,
  type RegistrationPlan,
  registerApp,
  runPlan,
} from './register-app.ts';
export { isRegistered, listApps, type RegisteredApp } from './registrations.ts';
export { removeApp } from './remove-app.ts';
export { repeatDecision } from './repeat-decision.ts';
export type { AddMode } from './same-app.ts';
export { createServiceUpstream, type LocalService } from './service-upstream.ts';
export { type Attempt, NotSent, type Upstream, type UpstreamAnswer, type UpstreamRequest } from './upstream.ts';
