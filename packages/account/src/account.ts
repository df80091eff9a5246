import { randomBytes } from 'node:crypto';
import { createPasswords, type Passwords } from '@gantry/service';
import { asSocialError, createImages, createSiteReader } from '@gantry/service/account';
import type { Bucket } from '@gantry/store';
import type { ErrorCode, HttpResponse, PageViewer, SocialError } from '@gantry/wire';
import type { Logger } from '@gantry/wire/runtime';
import { createPages, isAccountPath } from './find-page.ts';
import { createPageHandler } from './handle-page.ts';
import { failurePage, jsonFailure, plainFailure } from './html/failure.ts';
import type { Client } from './http/client.ts';
import { drainBody } from './http/drain-body.ts';
import { createForms } from './http/forms.ts';
import { createTexts } from './messages/texts.ts';
import type { PageContext } from './request/page-context.ts';
import type { PageRequest } from './request/page-request.ts';
import { formCookie } from './sign-in/form-cookie.ts';
import { identifyBySession, identifyByViewer, type Viewer } from './sign-in/identify.ts';
import { createSessions } from './sign-in/sessions.ts';
import { noFiles } from './uploads/files-form.ts';
import { createReceiveUpload } from './uploads/receive-upload.ts';

export interface AccountOptions extends Pick<PageContext, 'db' | 'publicUrl' | 'secretKey' | 'signInUrl' | 'pageApps'> {
  /** Folder of the photos: the service's. */
  readonly mediaFolder: string;
  /** Place of photos, instead of that folder. */
  readonly bucket?: Bucket | undefined;
  /** The site's own sign-in. Without it these pages have one, with member id and password. */
  readonly viewer?: Viewer | undefined;
  /** Default: a few at a time, at today's cost. */
  readonly passwords?: Passwords;
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** Logs server faults only, never request data. */
  readonly log?: Logger | undefined;
}

/** Pages on which members sign in, authorize, revoke, make keys and keep photos. */
export interface Account {
  /** Methods and paths of the pages, such as `POST /account/keys`. */
  readonly routes: readonly string[];
  /** Returns true if a path is one of these pages. */
  serves(path: string): boolean;
  /**
   * Answers one request for a page, as HTML in the language that it asks for. Never rejects.
   *
   * @param client Network address of the browser: attempts to sign in queue and are limited by it.
   */
  handle(request: Request, client?: Client): Promise<HttpResponse>;
  /** Identifies the viewer of any page, by the site's `viewer` or a session of these pages. */
  readonly viewer: (request: Request) => Promise<PageViewer | undefined>;
}

/** Makes a site's account pages. @throws Error for a `signInUrl` that is no address or path. */
export function createAccount(options: AccountOptions): Account {
  const { db, publicUrl, secretKey, mediaFolder, bucket, signInUrl, pageApps, log } = options;
  const { now = Date.now, random = randomBytes, passwords = createPasswords({ random }) } = options;
  checkSignInUrl(signInUrl, publicUrl);
  const readSite = createSiteReader(db);
  const sessions = createSessions({ db, publicUrl, now, random });
  const context: PageContext = {
    db,
    publicUrl,
    images: createImages({ db, mediaFolder, bucket, now }),
    receiveUpload: createReceiveUpload(),
    secretKey,
    forms: createForms({ secretKey, now }),
    signInUrl,
    hasSignIn: options.viewer === undefined,
    pageApps,
    now,
    random,
  };
  const pages = createPages(context, { sessions, passwords });
  const handlePage = createPageHandler(pages.find);
  const identify = options.viewer
    ? identifyByViewer({ db, viewer: options.viewer, now, log })
    : identifyBySession(sessions);
  const anonymous = formCookie(publicUrl);

  return {
    viewer: async (request) => (await identify(request))?.viewer,
    serves: isAccountPath,
    routes: pages.routes,
    async handle(http, client = {}) {
      const texts = createTexts(http.headers.get('accept-language'));
      let request: PageRequest | undefined;
      try {
        const { pathname: path, searchParams: query } = new URL(http.url);
        const { settings } = await readSite();
        const formOwner = anonymous.ownerOf(http, random);
        const form = new URLSearchParams();
        const read = { context, http, path, query, form, files: noFiles(), settings, texts, client };
        request = { ...read, member: undefined, formOwner };
        const identity = await identify(http);
        request = { ...request, isStranger: identity?.viewer.isMember === false, ...identity?.page };
        const answer = await handlePage(request);
        if (http.method === 'HEAD') return { ...answer, body: null };
        return await readToEnd(answer);
      } catch (thrown) {
        const error = asSocialError(thrown);
        if (ownFaults.has(error.code)) log?.error({ err: thrown }, 'page failed');
        return readToEnd(await failed(error));
      }

      async function readToEnd(answer: HttpResponse): Promise<HttpResponse> {
        const isDrained = http.method === 'GET' || (await drainBody(http));
        return isDrained ? answer : { ...answer, headers: { ...answer.headers, connection: 'close' } };
      }

      async function failed(error: SocialError): Promise<HttpResponse> {
        if (http.method === 'PUT') return jsonFailure(error, request ?? { texts });
        return request ? failurePage(request, error) : plainFailure(error, texts);
      }
    },
  };
}

const ownFaults: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'UNAVAILABLE', 'STORAGE_FULL']);

function checkSignInUrl(signInUrl: string | undefined, publicUrl: string): void {
  if (signInUrl === undefined) return;
  const url = URL.canParse(signInUrl, publicUrl) ? new URL(signInUrl, publicUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`signInUrl must be an http or https address or a path such as /sign-in, not ${signInUrl}.`);
  }
}
