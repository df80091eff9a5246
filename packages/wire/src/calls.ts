import type { Asker, ResourceRequest } from './app-call.ts';
import { activityCalls } from './operations/activities.ts';
import { albumCalls } from './operations/albums.ts';
import { appDataCalls } from './operations/app-data.ts';
import { mediaItemCalls } from './operations/media-items.ts';
import type { Call, Calls, RequestDraft } from './operations/operation.ts';
import { peopleCalls } from './operations/people.ts';
import type { OsapiAlias, WorkingOsapiName } from './operations.ts';
import { SocialError } from './social-error.ts';

// A working row whose call is missing here does not compile.
const calls: Calls & Readonly<Record<WorkingOsapiName | OsapiAlias, Call>> = {
  ...peopleCalls,
  ...activityCalls,
  ...appDataCalls,
  ...albumCalls,
  ...mediaItemCalls,
};

/** @throws SocialError as `resolveRequest` says. */
export function draftOf({ operation, params }: ResourceRequest, asker: Asker): RequestDraft {
  const name = operation.replace(/^appData\./, 'appdata.'); // as some gadgets write it
  const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (call) return call(params, asker);
  throw new SocialError('NOT_IMPLEMENTED', `This site has no operation ${JSON.stringify(operation.slice(0, 64))}.`);
}
