import type { Statement } from '@gantry/store';
import { operation } from '@gantry/wire';
import type { Middleware } from '../call-path.ts';

export interface AppMember {
  readonly viewer: string;
  readonly app: string;
}

/** A member's decision about an app. */
export interface InstallDecision extends AppMember {
  /** Expression for the names of all present grants, separated by spaces; null for none. */
  readonly granted: Statement;
  /** A permission was granted, which installs the app; a revocation alone does not. */
  readonly gives: boolean;
  /** Delete the app's data, if nothing is granted now. */
  readonly removesData: boolean;
  readonly nowMs: number;
}

/** A write of a member through an app. */
export interface AppUse extends AppMember {
  /** Registration that was checked for the write. A replacement since then is not installed. */
  readonly registration: string;
  readonly granted: readonly string[];
  readonly nowMs: number;
}

/**
 * Port that keeps which members have which app, for the site's `hasApp`: in the database that proxy
 * and service share, or by records sent to another Gantry (docs/decisions/0033-having-an-app.md).
 * Other upstreams have none.
 */
export interface Installs {
  /** Adds the statements that a decision's effect on the install needs, for one transaction. */
  withDecision(decision: InstallDecision, statements: readonly Statement[]): readonly Statement[];
  /** Resolves when a remote site has taken all reports. Rejects if it cannot be reached now. */
  ensureReported?(use: AppUse): Promise<void>;
  /** Installs a trusted app on its first use. Resolves with whether the member then has it. */
  recordUse?(use: AppUse): Promise<boolean>;
}

/** Reason of a refused AppData write; there is no other one (contract §4). */
export const appNotAdded = 'APP_NOT_ADDED';

/** Reports installs before writes, and installs trusted apps on first use. */
export function createInstallMiddleware(installs: Installs, now: () => number): Middleware {
  return (next) => async (context) => {
    if (context.request.method === 'GET') return next(context);
    const { asker, access, request } = context;
    const { granted, app } = access;
    const use = { viewer: asker.viewer, app: app.id, registration: app.registration, granted, nowMs: now() };
    await installs.ensureReported?.(use);
    const gives = async () => app.trusted && (await installs.recordUse?.(use)) === true;
    if (operation(request.operation).topic !== 'appData') await gives(); // other writes need no installed app
    const reply = await next(context);
    const lacksApp = 'error' in reply && reply.error.data?.reason === appNotAdded;
    return lacksApp && (await gives()) ? next(context) : reply;
  };
}
