import type { Database } from '@gantry/store';
import type { RouteParams, WorkingOperationId } from '@gantry/wire';
import type { Authenticated } from '../authenticate.ts';
import type { Result } from '../formats/result.ts';
import type { Guids } from '../guids.ts';
import type { Query } from '../query.ts';
import type { Json } from '../read-json.ts';
import type { Settings } from '../settings.ts';
import type { SiteTime } from '../site-time.ts';

/** One request that passed every check that does not depend on stored data. */
export interface Call {
  readonly db: Database;
  readonly requester: Authenticated;
  readonly settings: Settings;
  readonly siteTime: SiteTime;
  readonly publicUrl: string;
  readonly nowMs: number;
  readonly random: (bytes: number) => Uint8Array;
  readonly params: RouteParams;
  /** The third segment of the path: `@self`, `@friends`, `@all`. */
  readonly selector: string;
  /** The members that `{guid}` names. */
  readonly guids: Guids;
  readonly query: Query;
  /** Parsed body of a write that has one, else `null`. */
  readonly body: Json;
  /** `Idempotency-Key`, as the client wrote it. */
  readonly key: string | undefined;
}

export type Handler = (call: Call) => Promise<Result>;

/** One handler for each row that works: a missing or a further one does not compile. */
export type Handlers = { readonly [Id in WorkingOperationId]: Handler };
