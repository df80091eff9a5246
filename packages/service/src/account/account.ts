import { randomBytes } from 'node:crypto';
import { countPairs } from '@gantry/oauth';
import type { Database } from '@gantry/store';
import { bounds, type ErrorCode, isId, SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import type { Logger } from 'pino';
import { asSocialError } from '../answer.ts';
import { readBody } from '../body.ts';
import type { Answer } from '../exchange.ts';
import { createImages } from '../images/images.ts';
import { siteReader } from '../settings.ts';
import { findVisitor } from '../store/visitors.ts';
import type { Client } from './attempt-limits.ts';
import { createFairQueue } from './fair-queue.ts';
import { createFilesFormReader } from './files-form.ts';
import { createForms, type FormCheck, formTokenName, isFromOwnPage } from './forms.ts';
import { appsPage, revokeApp, revokePageApp } from './pages/apps.ts';
import { consentPage, consentPaths } from './pages/consent.ts';
import { keysPage, revokeKey } from './pages/keys.ts';
import { passwordPage } from './pages/password.ts';
import { browserPrefix, formCookie, signInPage, signOut } from './pages/sign-in.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { photoPages } from './photos/photo-pages.ts';
import { dropRest } from './rest-of-body.ts';
import { createSessions, type Session } from './sessions.ts';
import { messagePage } from './shell.ts';
import { createSignIn } from './sign-in.ts';
import { type Desk, type Methods, type PageApps, seeOther, type Visit } from './visit.ts';

/** Names the signed-in member of a request. */
export type Viewer = (request: Request) => Promise<string | undefined>;

export interface AccountOptions {
  readonly db: Database;
  /** Origin of the site. */
  readonly publicUrl: string;
  /** 32 bytes: seals consumer secrets; the key of forms is derived from it. */
  readonly secretKey: Uint8Array;
  /** Where photos are kept: the service's. */
  readonly mediaFolder: string;
  /** The site's own sign-in. Without it these pages have one, with member id and password. */
  readonly viewer?: Viewer | undefined;
  /** With `viewer`: where members sign in, an address or path. It gets `?return=`, a path to come back to. */
  readonly signInUrl?: string | undefined;
  /** What members let apps on the site's own pages do. */
  readonly pageApps?: PageApps | undefined;
  /** Default: a few at a time, at today's cost. */
  readonly passwords?: Passwords;
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** Gets what is our own fault, never what a browser sent. */
  readonly log?: Logger | undefined;
}

/** The pages on which members sign in, authorize, revoke, and make keys. */
export interface Account {
  /** Whether a path is one of these pages. */
  serves(path: string): boolean;
  /**
   * Answers one request for a page, as HTML; it never rejects.
   *
   * @param client Network address of the browser: attempts to sign in take turns and are limited by it.
   */
  handle(request: Request, client?: Client): Promise<Answer>;
  /** The site's own, or who is signed in here. */
  readonly viewer: Viewer;
}

/** @throws Error in one line for a `signInUrl` that is no http(s) address or path. */
export function createAccount(options: AccountOptions): Account {
  const {
    db,
    publicUrl,
    secretKey,
    mediaFolder,
    viewer: foreign,
    signInUrl,
    pageApps,
    now = Date.now,
    random = randomBytes,
    log,
  } = options;
  const { passwords = createPasswords({ random }) } = options;
  checkSignInUrl(signInUrl, publicUrl);
  const readSite = siteReader(db);
  const forms = createForms({ secretKey, now });
  const sessions = createSessions({ db, publicUrl, now, random });
  const hasSignIn = foreign === undefined;
  const images = createImages({ db, mediaFolder, now });
  const readFilesForm = createFilesFormReader(filesFormBytes);
  const desk: Desk = {
    db,
    publicUrl,
    mediaFolder,
    images,
    secretKey,
    forms,
    signInUrl,
    hasSignIn,
    pageApps,
    now,
    random,
  };
  const viewer: Viewer = foreign ?? (async (request) => (await sessions.find(request))?.memberId);
  const pages = new Map<string, Methods>([
    ['/account', { get: async () => seeOther('/account/apps') }],
    ['/account/apps', appsPage(desk)],
    ['/account/apps/revoke', revokeApp(desk)],
    ['/account/apps/withdraw', revokePageApp(desk)],
    ['/account/keys', keysPage(desk)],
    ['/account/keys/revoke', revokeKey(desk)],
    [consentPaths.member, consentPage(desk, 'member')],
    [consentPaths.admin, consentPage(desk, 'admin')],
    ...(hasSignIn ? ownSignIn() : []),
  ]);
  const photos = photoPages(desk);

  function ownSignIn(): readonly (readonly [string, Methods])[] {
    const inTurn = createFairQueue({ atOnce: passwords.atOnce, mostWaiting: mostSigningIn });
    const signIn = createSignIn({ db, passwords, inTurn, now });
    return [
      ['/account/sign-in', signInPage(desk, { sessions, signIn })],
      ['/account/sign-out', signOut({ sessions })],
      ['/account/password', passwordPage(desk, { sessions, signIn, passwords, inTurn })],
    ];
  }

  async function whoIs(request: Request): Promise<Pick<Visit, 'member' | 'visitor'>> {
    if (foreign !== undefined) {
      const id = await foreign(request);
      const member = id !== undefined && isId(id) ? await findVisitor(db, id) : undefined;
      return { member, visitor: member ? `member/${member.id}` : browserOf(request) };
    }
    const session = await sessions.find(request);
    return session
      ? { member: memberOf(session), visitor: `session/${session.digest}` }
      : { member: undefined, visitor: browserOf(request) };
  }

  /** A browser in which nobody is signed in, known by a cookie that the sign-in form sets. */
  function browserOf(request: Request): string {
    const known = formCookie(publicUrl).read(request.headers.get('cookie'));
    const isOurs = known !== undefined && /^[A-Za-z0-9_-]{22}$/.test(known);
    return browserPrefix + (isOurs ? known : Buffer.from(random(16)).toString('base64url'));
  }

  async function answer(request: Request, visit: Visit): Promise<Answer> {
    const path = visit.path.replace(/(?<=.)\/$/, '');
    const methods = pages.get(path) ?? photos(path);
    if (!methods) throw new SocialError('NOT_FOUND', 'There is no such page.');
    const { get, post, again, put, takesFiles } = methods;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const method = isRead ? get : request.method === 'POST' ? post : request.method === 'PUT' ? put : undefined;
    if (!method) {
      const allow = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : []), ...(put ? ['PUT'] : [])];
      throw new SocialError('METHOD_NOT_ALLOWED', 'This page cannot be used like that.', { allow });
    }
    if (isRead) return method(visit);
    if (method === put) return answerPut(put, visit);
    if (takesFiles) return answerFiles(method, visit);
    const form = await readForm(request);
    refuseForeign(request);
    const found = check(visit, form.get(formTokenName));
    if (found === 'void') return outdated(desk, visit, form);
    return found === 'early' && again ? again({ ...visit, form, isEarly: true }) : method({ ...visit, form });
  }

  async function answerPut(put: (visit: Visit) => Promise<Answer>, visit: Visit): Promise<Answer> {
    const { request } = visit;
    refuseForeign(request);
    if (check(visit, request.headers.get('x-form-token')) !== 'void') return put(visit);
    throw new SocialError('FORBIDDEN', 'This page is out of date. Load it again, then add your photos.');
  }

  // Nothing is read of what comes from elsewhere, or from nobody: these forms are large.
  async function answerFiles(post: (visit: Visit) => Promise<Answer>, visit: Visit): Promise<Answer> {
    const { request } = visit;
    refuseForeign(request);
    if (!visit.member) throw new SocialError('FORBIDDEN', 'Sign in first: photos are for members.');
    const { fields: form, files } = await readFilesForm(request);
    const found = check(visit, form.get(formTokenName));
    return found === 'void' ? outdated(desk, visit, form) : post({ ...visit, form, files });
  }

  function check({ visitor, path }: Visit, token: string | null): FormCheck {
    return forms.check({ visitor, action: path }, token ?? '');
  }

  function refuseForeign(request: Request): void {
    if (isFromOwnPage(request, publicUrl)) return;
    throw new SocialError('FORBIDDEN', 'The form was sent from another site. Nothing was changed.');
  }

  return {
    viewer,
    serves: (path) => path === '/account' || path.startsWith('/account/') || isConsentPath(path),
    async handle(request, client = {}) {
      let visit: Visit | undefined;
      try {
        const { pathname: path, searchParams: query } = new URL(request.url);
        const { settings } = await readSite();
        const stranger = { request, path, query, form: new URLSearchParams(), files: [], settings, client };
        visit = { ...stranger, member: undefined, visitor: browserOf(request) };
        visit = { ...stranger, ...(await whoIs(request)) };
        const { body, ...rest } = await answer(request, visit);
        return { ...rest, body: request.method === 'HEAD' ? null : body };
      } catch (thrown) {
        const error = asSocialError(thrown);
        if (ownFaults.has(error.code)) log?.error({ err: thrown }, 'page failed');
        const isWhole = await dropRest(request);
        const answer = request.method === 'PUT' ? jsonFailure(error) : await failure(desk, visit, error);
        return isWhole ? answer : { ...answer, headers: { ...answer.headers, connection: 'close' } };
      }
    },
  };
}

/** Attempts to sign in that wait for their turn. */
const mostSigningIn = 30;

/** Of a form that comes with files. */
const filesFormBytes = 32 * 2 ** 20;

const ownFaults: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'UNAVAILABLE', 'STORAGE_FULL']);

function memberOf({ memberId, displayName, isAdmin }: Session): NonNullable<Visit['member']> {
  return { id: memberId, displayName, isAdmin };
}

function isConsentPath(path: string): boolean {
  return Object.values(consentPaths).includes(path.replace(/\/$/, ''));
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', 'A form is sent as application/x-www-form-urlencoded.');
  }
  const body = (await readBody(request)) ?? new Uint8Array();
  if (countPairs(body) > bounds.parameters) {
    throw new SocialError('BAD_REQUEST', `A form has at most ${bounds.parameters} fields.`);
  }
  return new URLSearchParams(Buffer.from(body).toString('utf8'));
}

/** A form of a page that was opened before somebody signed in or out, or half a day ago. */
function outdated(desk: Desk, visit: Visit, form: URLSearchParams): Promise<Answer> {
  const token = form.get('oauth_token');
  const again = token === null ? visit.path : `${visit.path}?${new URLSearchParams({ oauth_token: token })}`;
  return messagePage(desk, visit, {
    status: 403,
    title: 'That page was out of date',
    text: 'Somebody signed in or out in this browser since it was opened, or it was open for long. Nothing was changed.',
    action: html`<a class="button" href="${again}">Open it again</a>`,
  });
}

/** For a script of ours, which shows the message. */
function jsonFailure(error: SocialError): Answer {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  const body = JSON.stringify({ error: error.toWire() });
  return { status: error.status, headers: { ...headers, ...failureHeaders(error) }, body };
}

function failureHeaders({ retryAfter, allow }: SocialError): Record<string, string> {
  return {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(allow && { allow: allow.join(', ') }),
  };
}

const titles: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'There is no such page',
  NOT_IMPLEMENTED: 'This site has no photos',
  TOO_LARGE: 'That was too large',
  FORBIDDEN: 'That is not allowed',
  UNAVAILABLE: 'One moment, please',
  STORAGE_FULL: 'The site cannot save anything',
  INTERNAL: 'Something went wrong',
};

async function failure(desk: Desk, visit: Visit | undefined, error: SocialError): Promise<Answer> {
  const title = titles[error.code] ?? 'That did not work';
  const headers = failureHeaders(error);
  if (!visit) {
    const body = `${title}. ${error.message}`;
    return {
      status: error.status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
      body,
    };
  }
  const answer = await messagePage(desk, visit, { status: error.status, title, text: error.message });
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function checkSignInUrl(signInUrl: string | undefined, publicUrl: string): void {
  if (signInUrl === undefined) return;
  const url = URL.canParse(signInUrl, publicUrl) ? new URL(signInUrl, publicUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`signInUrl must be an http or https address or a path such as /sign-in, not ${signInUrl}.`);
  }
}
