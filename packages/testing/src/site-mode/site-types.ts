import type { BrowserContext, Page } from '@playwright/test';
import type { Call, Gadget, LogLine, RecordView } from '../types.ts';

/** A member of a running site, and how a browser becomes theirs. */
export type SiteMember =
  /** Gantry's own sign-in, `/account/sign-in`. */
  | { readonly id: string; readonly password: string }
  /** Cookies of a session that another program began, such as the site's own command for tests. */
  | { readonly cookies: Parameters<BrowserContext['addCookies']>[0] }
  /** A file of Playwright's: `storageState` of a setup project. */
  | { readonly storageState: string }
  /** The site's own form: fills it in, and resolves when the member is signed in. */
  | { readonly signIn: (page: Page) => Promise<void> };

/** Options of tests against a running site: `test.use({ runningSite, member: 'ada' })`. */
export interface SiteOptions {
  /** Address of the site. Default: `baseURL`. */
  runningSite: string | undefined;
  /** Members by names of the tests' own choice. */
  members: Readonly<Record<string, SiteMember>>;
  /** Name of the viewer. Default: none, for visitors and tests with a `storageState`. */
  member: string | undefined;
}

/** Finding a gadget on a running site. */
export interface FindOptions {
  /** Path of the page. Default: `/` at first, and the page that is open after that. */
  readonly page?: string;
  /** Counts the gadgets of this app on the page from 0. Default: 0. */
  readonly index?: number;
  /** Milliseconds. Default: 15,000. */
  readonly timeout?: number;
}

/** A gadget on a page of a running site, as one member sees it. */
export interface SiteGadget
  extends RecordView,
    Pick<Gadget, 'page' | 'element' | 'frame' | 'app' | 'viewer' | 'settled' | 'context' | 'state'> {
  /** Without `decision`, which only the page knows. `tookMs` is measured at the port. */
  readonly calls: readonly Call[];
  /** Lines of scripts below the app's own folder. Gadgets of one app share them. */
  readonly logs: readonly LogLine[];
  /**
   * Opens a page of the site and finds the gadget of an app there; resolves when it is ready or
   * asks for consent.
   *
   * @example
   * await gadget.find('notes', { page: '/home' });
   * @throws Error that names the gadgets that are on the page, or says why this one is not shown.
   */
  find(app: string, options?: FindOptions): Promise<void>;
  /** Acts like `find`, so that tests of a lab run here, but takes no scenario. */
  mount(app?: string, options?: FindOptions): Promise<void>;
  /** Loads the app anew, as its menu does, and resolves when it is ready. */
  reload(): Promise<void>;
}
