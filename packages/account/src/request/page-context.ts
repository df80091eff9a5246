import type { PhotoPlace } from '@gantry/service/account';
import type { PermissionName } from '@gantry/wire';
import type { Forms } from '../http/forms.ts';
import type { ReceiveUpload } from '../uploads/receive-upload.ts';

/** An app on the site's own pages, and what a member lets it do. */
export interface PageApp {
  readonly id: string;
  readonly title: string;
  readonly granted: readonly PermissionName[];
  /** When the member last decided, in ms since the epoch; absent if only the site trusts it. */
  readonly decidedAtMs?: number;
}

export interface PageApps {
  /** @param language That of the titles, as BCP 47 tag. */
  list(memberId: string, language: string): Promise<readonly PageApp[]>;
  /**
   * Takes back all of it, at once. Resolves with false if there was nothing.
   *
   * @param options.removesData Also removes what the app saved for the member.
   */
  revoke(memberId: string, appId: string, options: { readonly removesData: boolean }): Promise<boolean>;
}

export interface PageContext extends PhotoPlace {
  readonly publicUrl: string;
  readonly receiveUpload: ReceiveUpload;
  /** 32 bytes: seals consumer secrets; the key of forms is derived from it. */
  readonly secretKey: Uint8Array;
  readonly forms: Forms;
  /** Address of the site's own sign-in page, if it has one. It gets `?return=` with a path. */
  readonly signInUrl?: string | undefined;
  /** True if the site has no sign-in of its own, and these pages are it. */
  readonly hasSignIn: boolean;
  /** Store of what members let apps on the site's own pages do. Absent where those hold no apps. */
  readonly pageApps?: PageApps | undefined;
}
