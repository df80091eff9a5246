import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { name, notice } from '../html/blocks.ts';
import { returnPath } from '../http/return-path.ts';
import type { Html } from '../messages/html.ts';
import { type PageMethods, seeOther } from '../request/page-methods.ts';
import type { PageRequest } from '../request/page-request.ts';
import { formCookie } from './form-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { CheckPassword } from './sign-in.ts';

const action = '/account/sign-in';
const home = '/account/apps';

/** Makes the form for member id and password, for sites without a sign-in of their own. */
export function signInPage({ sessions, signIn }: { sessions: Sessions; signIn: CheckPassword }): PageMethods {
  return {
    async get(request) {
      const next = returnPath(request.query.get('return')) ?? home;
      return request.member ? seeOther(next) : form(request, { next });
    },
    async post(request) {
      const { texts } = request;
      const memberId = (request.form.get('member') ?? '').trim();
      const password = request.form.get('password') ?? '';
      const next = returnPath(request.form.get('return')) ?? home;
      const show = (status: number, problem: string, headers = {}) =>
        form(request, { next, memberId, status, problem, headers });
      if (memberId === '' || password === '') return show(400, texts.say('signIn.incomplete'));
      const result = await signIn({ memberId, password, client: request.client });
      if (result === 'right') return seeOther(next, { 'set-cookie': await sessions.begin(memberId, request.http) });
      if (result === 'wrong') return show(401, texts.say('signIn.wrong'));
      if (result === 'busy') return show(503, texts.say('signIn.busy'), { 'retry-after': '3' });
      const { limitedForS } = result;
      const problem = texts.count('signIn.limited', Math.ceil(limitedForS / 60));
      return show(429, problem, { 'retry-after': String(limitedForS) });
    },
  };
}

/** Makes the address that ends the session. `return` is the path to open after the next sign-in. */
export function signOut(sessions: Sessions): PageMethods {
  return {
    async post(request) {
      const next = returnPath(request.form.get('return'));
      const query = next === undefined ? 'left=1' : new URLSearchParams({ return: next }).toString();
      return seeOther(`${action}?${query}`, { 'set-cookie': await sessions.end(request.http) });
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
  request: PageRequest,
  { next, memberId = '', problem, status = 200, headers }: FormState,
): Promise<HttpResponse> {
  const { context, formOwner: owner, settings, query, texts } = request;
  const title = texts.say('signIn');
  const content = html`<div class="card">
<header><h1>${title}</h1><p class="lead">${texts.rich('signIn.site', { site: name(settings.name) })}</p></header>
${query.has('left') && problem === undefined && notice('good', texts.say('signIn.left'))}
${problem !== undefined && html`<div class="notice bad" id="problem" role="alert"><p>${problem}</p></div>`}
<form class="fields" method="post" action="${action}">
${context.forms.field({ owner, action })}
<input type="hidden" name="return" value="${next}">
<div class="field"><label for="member">${texts.say('signIn.member')}</label>
<input id="member" name="member" value="${memberId}" required maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false"${describedBy(problem)}></div>
<div class="field"><label for="password">${texts.say('nav.password')}</label>
<input id="password" name="password" type="password" required autocomplete="current-password"${describedBy(problem)}></div>
<button>${title}</button>
</form>
</div>`;
  const cookie = request.member ? {} : { 'set-cookie': formCookie(context.publicUrl).write(owner) };
  return accountPage(request, {
    status,
    title: problem === undefined ? title : texts.say('tryAgain', { title }),
    content,
    width: 'narrow',
    headers: { ...cookie, ...headers },
  });
}

function describedBy(problem: string | undefined): Html | false {
  return problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`;
}
