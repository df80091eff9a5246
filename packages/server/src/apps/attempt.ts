import { auditEntry } from '@gantry/proxy';
import type { Database } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';

/** Maker and time of a change to an app, for the audit. */
export interface ChangeOptions {
  /** Such as `cli:anna`. Default: `server`, code of the site. */
  readonly by?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

interface Attempt {
  readonly app: string;
  readonly action: string;
  readonly by: string;
  readonly nowMs: number;
}

/** Does the work of an attempt to change an app. One that is refused enters the audit, too. */
export async function withAudit<Result>(
  db: Database,
  { app, action, by, nowMs }: Attempt,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SocialError && isId(app)) {
      const detail = error.message;
      await db.query(auditEntry({ atMs: nowMs, actor: by, app, action, outcome: 'refused', detail }));
    }
    throw error;
  }
}
