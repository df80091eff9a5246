import { html } from 'hono/html';
import type { Answer } from '../../exchange.ts';
import { ownCookie } from '../cookies.ts';
import type { Html } from '../layout.ts';
import { returnPath } from '../return-path.ts';
import type { Sessions } from '../sessions.ts';
import { accountPage } from '../shell.ts';
import type { Credential, SignIn } from '../sign-in.ts';
import { type Desk, type Methods, seeOther, type Visit } from '../visit.ts';

const action = '/account/sign-in';
const home = '/account/apps';

export interface SignInTools {
  readonly sessions: Sessions;
  readonly signIn: (credential: Credential) => Promise<SignIn>;
}

/** The form for member id and password. It is served only where the site has no sign-in of its own. */
export function signInPage(desk: Desk, { sessions, signIn }: SignInTools): Methods {
  return {
    async get(visit) {
      const next = returnPath(visit.query.get('return')) ?? home;
      return visit.member ? seeOther(next) : form(desk, visit, { next });
    },
    async post(visit) {
      const memberId = (visit.form.get('member') ?? '').trim();
      const password = visit.form.get('password') ?? '';
      const next = returnPath(visit.form.get('return')) ?? home;
      if (memberId === '' || password === '') {
        return form(desk, visit, { next, memberId, status: 400, problem: 'Fill in both member ID and password.' });
      }
      const result = await signIn({ memberId, password, client: visit.client });
      if (result === 'right') return seeOther(next, { 'set-cookie': await sessions.begin(memberId, visit.request) });
      if (result === 'wrong') {
        const problem = 'That member ID and password do not go together. Check both and try again.';
        return form(desk, visit, { next, memberId, status: 401, problem });
      }
      if (result === 'busy') {
        const headers = { 'retry-after': '3' };
        return form(desk, visit, { next, memberId, status: 503, problem: busyProblem, headers });
      }
      const { limitedForS } = result;
      return form(desk, visit, {
        next,
        memberId,
        status: 429,
        problem: `There were too many attempts. Try again in ${inMinutes(limitedForS)}.`,
        headers: { 'retry-after': String(limitedForS) },
      });
    },
  };
}

/** Said to members who found no place in the queue. */
export const busyProblem = 'Too many people sign in at this moment. Try again in a few seconds.';

/** Ends the session. `return` is where whoever signs in then goes. */
export function signOut({ sessions }: Pick<SignInTools, 'sessions'>): Methods {
  return {
    async post(visit) {
      const next = returnPath(visit.form.get('return'));
      const query = next === undefined ? 'left=1' : new URLSearchParams({ return: next }).toString();
      return seeOther(`${action}?${query}`, { 'set-cookie': await sessions.end(visit.request) });
    },
    get: async () => seeOther(action),
  };
}

interface FormState {
  readonly next: string;
  readonly memberId?: string;
  readonly problem?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function form(
  desk: Desk,
  visit: Visit,
  { next, memberId = '', problem, status = 200, headers }: FormState,
): Promise<Answer> {
  const { forms, publicUrl } = desk;
  const { visitor, settings, query } = visit;
  const wrong: Html | false =
    problem !== undefined && html`<div class="notice bad" id="problem" role="alert"><p>${problem}</p></div>`;
  const content = html`<div class="card">
<header><h1>Sign in</h1><p class="lead">to <bdi>${settings.name}</bdi></p></header>
${query.has('left') && problem === undefined && html`<div class="notice good" role="status"><p>You are signed out.</p></div>`}
${wrong}
<form class="fields" method="post" action="${action}">
${forms.field({ visitor, action })}
<input type="hidden" name="return" value="${next}">
<div class="field"><label for="member">Member ID</label>
<input id="member" name="member" value="${memberId}" required maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false"${describedBy(problem)}></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" required autocomplete="current-password"${describedBy(problem)}></div>
<button>Sign in</button>
</form>
</div>`;
  const cookie = formCookie(publicUrl).write(visitor.slice(browserPrefix.length), 24 * 60 * 60);
  const title = problem === undefined ? 'Sign in' : 'Sign in: try again';
  const cookies = visit.member ? {} : { 'set-cookie': cookie };
  return accountPage(desk, visit, { status, title, content, width: 'narrow', headers: { ...cookies, ...headers } });
}

function describedBy(problem: string | undefined): Html | false {
  return problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`;
}

/** Binds the sign-in form to its browser: nobody can sign a member in as somebody else from afar. */
export function formCookie(publicUrl: string) {
  return ownCookie(publicUrl, 'gantry_form');
}
export const browserPrefix = 'browser/';

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
