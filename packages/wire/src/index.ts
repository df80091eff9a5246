export type { Asker, RequestParams, ResourceRequest } from './app-call.ts';
export { bounds, maxAnswerBytes, maxDepthOfSeveral, maxRowsOfSeveral, refuseUnboundNames } from './bounds.ts';
export { callRows } from './call-names.ts';
export { anyone, type Change, changesOf, dependsOn } from './change.ts';
export type { Collection, EntryEnvelope, ListEnvelope, Reply, ReplyMeta } from './envelope.ts';
export { gantryPaths, isBelow, isGantryPath } from './gantry-paths.ts';
export {
  type HttpBody,
  type HttpRequest,
  type HttpResponse,
  maxBodyBytes,
  type UnsignedRead,
} from './http-exchange.ts';
export { compareIds, isId } from './id.ts';
export { isolatedName, nameProblem, shownName } from './names.ts';
export type { Observe, Observed, ObservedAt } from './observed.ts';
export {
  type CachePolicy,
  type HttpMethod,
  type Operation,
  type Permission,
  type Route,
  type ServiceColumns,
  type Topic,
  topics,
} from './operations/operation.ts';
export {
  isWorking,
  type OperationId,
  type OsapiName,
  operation,
  operationIds,
  operations,
  routesOf,
  type WorkingOperationId,
  type WorkingOsapiName,
  type WrittenTopic,
} from './operations.ts';
export type { PageViewer } from './page-viewer.ts';
export { parseJson } from './parse-json.ts';
export {
  type CallPermission,
  callPermissions,
  type PermissionName,
  type PermissionSentences,
  permissionsFor,
  personFieldsOf,
  sentenceFor,
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
  PreviewRequest,
} from './proxy-messages.ts';
export { badParam, integer, isGiven, isRecord, listOf, optionalText, tooMany } from './read-params.ts';
export {
  type ResolvedRequest,
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
  optionalFieldsIn,
  optionalPersonFields,
  type Person,
} from './resources.ts';
export { matchRoute, type RouteParams } from './route.ts';
export { callAliases, isWide, type OsapiAlias, serviceColumns, serviceColumnsOf } from './service-columns.ts';
export {
  type ErrorCode,
  type ErrorData,
  errorStatus,
  SocialError,
  type SocialErrorOptions,
  type WireError,
  wireError,
} from './social-error.ts';
export { isWriteId } from './write-id.ts';
