export { maxAnswerBytes } from './answer-size.ts';
export { bounds, refuseUnboundNames } from './bounds.ts';
export { anyone, type Change, changesOf, dependsOn } from './change.ts';
export type { Clock } from './clock.ts';
export { closest } from './closest.ts';
export type { Collection, EntryEnvelope, ErrorEnvelope, ListEnvelope, Reply, ReplyMeta } from './envelope.ts';
export { gantryPaths, isBelow, isGantryPath } from './gantry-paths.ts';
export { compareIds, isId } from './id.ts';
export { isLocalHost } from './local-host.ts';
export type { Observe, Observed, ObservedAt } from './observed.ts';
export {
  type CachePolicy,
  type HttpMethod,
  isWorking,
  type Operation,
  type OperationId,
  type OsapiName,
  operation,
  operations,
  type Permission,
  type Route,
  type Topic,
  type WorkingOperationId,
} from './operations.ts';
export { parseJson } from './parse-json.ts';
export { type PermissionWords, permissionWords, sentenceFor } from './permission-words.ts';
export {
  type CallPermission,
  callPermissions,
  type PermissionName,
  permissionsFor,
  personFieldsOf,
} from './permissions.ts';
export { release, type VersionMismatch, type VersionRange } from './protocol-versions.ts';
export type {
  Call,
  CallReply,
  CallsRequest,
  Consent,
  EventsEnd,
  EventsRequest,
  GadgetContext,
  GrantsAnswer,
  GrantsRequest,
  Instance,
  InstanceAnswer,
  InstanceRequest,
} from './proxy-messages.ts';
export { badParam, integer, isGiven, isRecord, listOf, optionalText, tooMany } from './read-params.ts';
export {
  type Asker,
  type RequestParams,
  type ResolvedRequest,
  type ResourceRequest,
  requestKey,
  resolveRequest,
  restPath,
} from './resource-request.ts';
export {
  type Activity,
  type Address,
  type Album,
  type AppData,
  type AppDataByMember,
  type MediaItem,
  type OptionalPersonField,
  optionalPersonFields,
  type Person,
} from './resources.ts';
export { matchRoute, type RouteMatch, type RouteOptions, type RouteParams } from './route.ts';
export {
  type ErrorCode,
  type ErrorData,
  errorStatus,
  SocialError,
  type SocialErrorOptions,
  type WireError,
} from './social-error.ts';
export { isWriteId } from './write-id.ts';
