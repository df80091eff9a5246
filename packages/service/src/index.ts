export { isSignatureMethod, type SignatureMethod, signatureMethods } from '@gantry/oauth';
export { type Account, type AccountOptions, createAccount, type Viewer } from './account/account.ts';
export { readCookie } from './account/cookies.ts';
export {
  createPasswords,
  type HashPermit,
  hashesAtOnce,
  type PasswordOptions,
  type Passwords,
  passwordProblem,
} from './account/passwords.ts';
export { isUpload } from './account/photos/uploads.ts';
export { type Administrator, listAdministrators, setAdministrator, setPassword } from './administrators.ts';
export {
  type App,
  activation,
  appExists,
  appStatement,
  type Install,
  installApp,
  isInactive,
  membersOfApps,
  readAppUse,
  saveApp,
  uninstallApp,
} from './apps.ts';
export { type Audience, createAudience } from './audience.ts';
export {
  type Authorization,
  allowAuthorization,
  type Consent,
  denyAuthorization,
  listAuthorizations,
  type Pending,
  pendingAuthorization,
  revokeAuthorization,
} from './authorizations.ts';
export type { Level } from './authorize.ts';
export {
  addConsumer,
  type Consumer,
  type ConsumerSpec,
  type Credentials,
  endAppKeys,
  listConsumers,
  listConsumersOf,
  newConsumer,
  revokeConsumer,
} from './consumers.ts';
export type { Answer, Incoming } from './exchange.ts';
export { contentTypes, type Format } from './formats/format.ts';
export type { Result, ResultContext } from './formats/result.ts';
export { type Written, writeError, writeFailure, writeResult } from './formats/write-result.ts';
export { type Introduction, introduceMember } from './introduce-member.ts';
export { openNonceLog } from './nonce-log.ts';
export { type Nonces, type NoncesOptions, openNonces, type TableOptions } from './nonces.ts';
export type { Observation, Observe } from './observe.ts';
export { createRateLimit, type RateLimit } from './rate-limit.ts';
export { retireApp, retiredPrefix } from './retire-app.ts';
export { createService, type Service, type ServiceOptions } from './service.ts';
export {
  isSettingName,
  readSettings,
  type SettingName,
  type Settings,
  settingNames,
  settingRule,
  writeSetting,
} from './settings.ts';
export { isLoopbackAlias } from './signed-origin.ts';
export { createSiteTime, type SiteTime } from './site-time.ts';
export { memberStream } from './store/activities.ts';
export { mediaFile } from './store/albums.ts';
export { readAppData } from './store/app-data.ts';
export type { ConsumerKind } from './store/consumers.ts';
export { allowedBefore, countHaving, decidedHaving, endHaving, useApp } from './store/having.ts';
export { type ListedMember, listMembers, memberExists } from './store/members.ts';
export { serviceMigrations } from './store/migrations.ts';
export { recountAppData } from './store/recount-app-data.ts';
export type { Flow } from './store/request-tokens.ts';
export { siteChanges } from './store/versions.ts';
export { type ExportOptions, type ExportReport, exportWorld } from './world/export-world.ts';
export {
  type ImportLinesOptions,
  type ImportLinesReport,
  type ImportProgress,
  importLines,
} from './world/import-lines.ts';
export { type ImportOptions, type ImportReport, importWorld } from './world/import-world.ts';
export { readLinesAsWorld } from './world/read-lines-as-world.ts';
export { type RecordProblem, type SavedRecords, saveRecords } from './world/save-records.ts';
export type { SiteRecord } from './world/site-record.ts';
export { isImporting } from './world/unfinished-import.ts';
