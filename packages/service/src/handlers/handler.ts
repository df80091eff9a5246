import type { Database } from '@gantry/store';
import type { RouteParams, WorkingOperationId } from '@gantry/wire';
import type { Authenticated } from '../auth/authenticate.ts';
import type { Json } from '../formats/read-json.ts';
import type { Result } from '../formats/result.ts';
import type { Guids } from '../http/guids.ts';
import type { Query } from '../http/query.ts';
import type { Settings } from '../settings.ts';
import type { ZonedTime } from '../zoned-time.ts';

/** Request of one operation that passed every check that needs no stored data. */
export interface OperationCall {
  readonly db: Database;
  readonly requester: Authenticated;
  readonly settings: Settings;
  readonly zonedTime: ZonedTime;
  readonly publicUrl: string;
  readonly nowMs: number;
  readonly random: (bytes: number) => Uint8Array;
  readonly params: RouteParams;
  readonly selector: string;
  readonly guids: Guids;
  readonly query: Query;
  /** Parsed body of a write, else `null`. */
  readonly body: Json;
  /** `Idempotency-Key`, as the client sent it. */
  readonly key: string | undefined;
}

export type Handler = (call: OperationCall) => Promise<Result>;

/** One handler for each operation that works: a missing or superfluous one does not compile. */
export type Handlers = { readonly [Id in WorkingOperationId]: Handler };
