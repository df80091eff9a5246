import type { Database } from '@gantry/store';
import type { PermissionName } from '@gantry/wire';
import type { Answer } from '../exchange.ts';
import type { Images } from '../images/images.ts';
import type { Settings } from '../settings.ts';
import type { Client } from './attempt-limits.ts';
import type { Forms } from './forms.ts';

/** Who is signed in. */
export interface Visitor {
  readonly id: string;
  readonly displayName: string;
  readonly isAdmin: boolean;
}

/** One request for a page, read and checked: a form in it is one of ours. */
export interface Visit {
  readonly request: Request;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Fields of a sent form; empty on GET. */
  readonly form: URLSearchParams;
  /** Files of a form that takes some. */
  readonly files: readonly File[];
  readonly member: Visitor | undefined;
  /** What forms on the answer are bound to (`Form.visitor`). */
  readonly visitor: string;
  readonly settings: Settings;
  readonly client: Client;
  /** True for a form that was sent too soon: its page is shown again. */
  readonly isEarly?: boolean;
}

/** A visit of somebody who is signed in. */
export type MemberVisit = Visit & { readonly member: Visitor };

/** An app on the site's own pages, and what a member lets it do. */
export interface PageApp {
  readonly id: string;
  readonly title: string;
  readonly granted: readonly PermissionName[];
  /** When the member last decided, in milliseconds since the epoch; absent where only the site's trust allows it. */
  readonly decidedAtMs?: number;
}

/** Where that is kept, which is not here. */
export interface PageApps {
  list(memberId: string): Promise<readonly PageApp[]>;
  /**
   * Takes back all of it, at once. Resolves with false where there was nothing.
   *
   * @param options.removesData Removes what the app saved for the member, too.
   */
  revoke(memberId: string, appId: string, options: { readonly removesData: boolean }): Promise<boolean>;
}

/** What pages work with. */
export interface Desk {
  readonly db: Database;
  readonly publicUrl: string;
  readonly mediaFolder: string;
  readonly images: Images;
  /** Seals consumer secrets: 32 bytes. */
  readonly secretKey: Uint8Array;
  readonly forms: Forms;
  /** Where a site with a sign-in of its own lets members sign in; `undefined` if it did not say. */
  readonly signInUrl: string | undefined;
  /** True where the site has no sign-in of its own and these pages are it. */
  readonly hasSignIn: boolean;
  /** Absent where the site's pages hold no apps. */
  readonly pageApps: PageApps | undefined;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/** Methods of one address. `HEAD` is answered as `GET`. */
export interface Methods {
  readonly get?: (visit: Visit) => Promise<Answer>;
  readonly post?: (visit: Visit) => Promise<Answer>;
  /**
   * Shows the page of `post` again with all that was typed, for a form that was sent within half a second. Present where one
   * click is enough to change something; absent where it takes typing, or does no harm.
   */
  readonly again?: (visit: Visit) => Promise<Answer>;
  /** Whether the form of `post` comes with files. Only members send any. */
  readonly takesFiles?: boolean;
  /** Takes a file as the body. The form's token comes in the header `x-form-token`, and failures are answered as JSON. */
  readonly put?: (visit: Visit) => Promise<Answer>;
}

/** 303: the browser goes on with GET, and a reload repeats nothing. */
export function seeOther(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...headers }, body: null };
}
