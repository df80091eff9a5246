export { isSignatureMethod, type SignatureMethod, signatureMethods } from '@gantry/oauth';
export { createAudience } from './audience.ts';
export { type Administrator, listAdministrators, setAdministrator } from './auth/administrators.ts';
export {
  addConsumer,
  type Consumer,
  type ConsumerSpec,
  type Credentials,
  consumerExists,
  endAppKeys,
  listConsumers,
  listConsumersOf,
  newConsumer,
  revokeConsumer,
} from './auth/consumers.ts';
export { addMemberKey, listMemberKeys, revokeMemberKey } from './auth/member-keys.ts';
export { setPassword } from './auth/member-password.ts';
export { forgetNonceLog, openNonceLog } from './auth/nonce-log.ts';
export { forgetNonceTable, type Nonces, type NoncesOptions, openNonces } from './auth/nonces.ts';
export { createPasswords, type HashPermit, hashesAtOnce, type Passwords, passwordProblem } from './auth/passwords.ts';
export { endSealedSecrets, type RevokedKey, replaceConsumerSecret } from './auth/replace-secrets.ts';
export { isLoopbackAlias } from './auth/signed-origin.ts';
export { type Written, writeFailure } from './formats/write-result.ts';
export { createPhotoBlobs } from './images/images.ts';
export { photoCopies } from './images/photo-copies.ts';
export type { Observation } from './observe.ts';
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
export { memberStream } from './store/activities.ts';
export { mediaFile } from './store/albums.ts';
export { readAppData } from './store/app-data.ts';
export {
  activation,
  appExists,
  appStatement,
  isInactive,
  membersOfApps,
  readAppUse,
} from './store/apps.ts';
export {
  adoptEarlierGrants,
  decideMemberApp,
  endAppForAll,
  installOnFirstUse,
} from './store/member-apps.ts';
export { listMembers, memberExists } from './store/members.ts';
export { nonceMigrations, serviceMigrations } from './store/migrations.ts';
export { idsWithoutMember } from './store/removed-members.ts';
export { retireApp, retiredPrefix } from './store/retire-app.ts';
export { siteChanges } from './store/versions.ts';
export { exportWorld } from './world/export-world.ts';
export { type ImportProgress, importLines } from './world/import-lines.ts';
export { importWorld } from './world/import-world.ts';
export { introduceMember } from './world/introduce-member.ts';
export { readLinesAsWorld } from './world/read-lines-as-world.ts';
export { type SavedRecords, saveRecords } from './world/save-records.ts';
export type { RecordInput, SiteRecord } from './world/site-record.ts';
export type { StorageOptions } from './world/store-world.ts';
export { isImporting } from './world/unfinished-import.ts';
