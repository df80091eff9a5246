import type { Statement } from '@gantry/store';
import type { WireError } from '@gantry/wire';
import type { Stage } from './call-path.ts';

/** A member and an app. */
export interface AppMember {
  readonly viewer: string;
  readonly app: string;
}

/** A member decided about an app. */
export interface HavingDecision extends AppMember {
  /** An expression: names of all that the member lets the app do now, separated by spaces; null for nothing. */
  readonly granted: Statement;
  /** Something was allowed, which gives the app; to take back a part does not. */
  readonly gives: boolean;
  /** Remove what the app saved, if nothing is granted now. */
  readonly removesData: boolean;
  readonly nowMs: number;
}

/** A member writes through an app. */
export interface AppUse extends AppMember {
  /** Name of the registration when the write was let through: nobody gets an app that replaced it meanwhile. */
  readonly registration: string;
  readonly granted: readonly string[];
  readonly nowMs: number;
}

/**
 * Keeps which members have which app where the site knows it: in the database that the proxy shares with the service, or by
 * records that are sent to another Gantry (docs/decisions/0033-having-an-app.md). Before any other site there is none.
 */
export interface Having {
  /** Puts the statements that keep a decision into one transaction with what it means for having the app. */
  decided(decision: HavingDecision, statements: readonly Statement[]): readonly Statement[];
  /**
   * Resolves when the site knows what was decided, for a site that has to be told. It rejects where that cannot be told now.
   */
  settled?(use: AppUse): Promise<void>;
  /** Gives an app that asks nobody to a member who uses it for the first time. Resolves with whether they have it then. */
  used?(use: AppUse): Promise<boolean>;
}

/** The word of a refused AppData write: by the contract's §4 there is no other reason for it. */
export const appNotAdded = 'APP_NOT_ADDED';

/** Has the site know that the member has the app before anything is written, since a trusted app is had from its first write. */
export function createHavingStage({
  having,
  now,
}: {
  readonly having: Having | undefined;
  readonly now: () => number;
}): Stage {
  return (next) => async (asking) => {
    if (having === undefined || asking.request.method === 'GET') return next(asking);
    const { asker, access, request } = asking;
    const { granted, app } = access;
    const use = { viewer: asker.viewer, app: app.id, registration: app.registration, granted, nowMs: now() };
    await having.settled?.(use);
    const gives = async () => app.trusted && (await having.used?.(use)) === true;
    if (request.operation === 'activities.create') await gives(); // a post needs no app, so no refusal tells of a first one
    const reply = await next(asking);
    return 'error' in reply && isForWantOfApp(reply.error) && (await gives()) ? next(asking) : reply;
  };
}

function isForWantOfApp({ data }: WireError): boolean {
  return data?.reason === appNotAdded;
}
