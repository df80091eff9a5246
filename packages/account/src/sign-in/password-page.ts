import { type Passwords, passwordProblem, setPassword } from '@gantry/service';
import { passwordLength } from '@gantry/service/account';
import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage, askToSignIn, membersOnly } from '../html/account-page.ts';
import { notice } from '../html/blocks.ts';
import { networkOfClient } from '../http/network.ts';
import type { Html } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';
import { type PageMethods, seeOther } from '../request/page-methods.ts';
import type { MemberRequest } from '../request/page-request.ts';
import type { FairQueue } from './fair-queue.ts';
import type { Sessions } from './sessions.ts';
import type { CheckPassword } from './sign-in.ts';

const action = '/account/password';

export interface PasswordTools {
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly inTurn: FairQueue;
  readonly signIn: CheckPassword;
}

/** Makes the page on which members change their password; a change ends all other sessions. */
export function passwordPage({ passwords, sessions, inTurn, signIn }: PasswordTools): PageMethods {
  return membersOnly({
    get: (request) => form(request, {}),
    async post(request) {
      const { context, texts } = request;
      const fresh = request.form.get('new') ?? '';
      if (passwordProblem(fresh) !== undefined) return form(request, { fresh: lengthProblem(fresh, texts) });
      const { id: memberId } = request.member;
      const session = await sessions.find(request.http);
      if (!session) return askToSignIn(request);
      const password = request.form.get('old') ?? '';
      const result = await signIn({ memberId, password, client: request.client });
      if (result === 'wrong') return form(request, { old: texts.say('password.wrong') });
      if (result === 'busy') return form(request, { old: texts.say('signIn.busy') });
      if (result !== 'right') {
        return form(request, { old: texts.count('signIn.limited', Math.ceil(result.limitedForS / 60)) });
      }
      const { db, now } = context;
      const change = () => setPassword(db, { memberId, password: fresh, passwords, now });
      if ((await inTurn(networkOfClient(request.client), change)) === 'busy') {
        return form(request, { old: texts.say('signIn.busy') });
      }
      // The session that stays is a new one: a copy of the old cookie is void, too.
      return seeOther(`${action}?done=1`, { 'set-cookie': await sessions.begin(memberId, request.http) });
    },
  });
}

function lengthProblem(password: string, texts: Texts): string {
  const { least, most } = passwordLength;
  return [...password].length < least ? texts.say('password.short', { least }) : texts.say('password.long', { most });
}

/** @param problems Faults of the fields. */
function form(request: MemberRequest, problems: { old?: string; fresh?: string }): Promise<HttpResponse> {
  const { context, texts, formOwner: owner } = request;
  const isWrong = problems.old !== undefined || problems.fresh !== undefined;
  const title = texts.say('nav.password');
  const content = html`<header><h1>${title}</h1>
<p class="lead">${texts.say('password.lead')}</p></header>
${request.query.has('done') && !isWrong && notice('good', texts.say('password.done'))}
<form class="card fields" method="post" action="${action}">
${context.forms.field({ owner, action })}
<input name="username" value="${request.member.id}" autocomplete="username" readonly hidden>
${field({ name: 'old', label: texts.say('password.old'), autocomplete: 'current-password', problem: problems.old })}
${field({
  name: 'new',
  label: texts.say('password.new'),
  autocomplete: 'new-password',
  hint: texts.say('password.hint', { least: passwordLength.least }),
  problem: problems.fresh,
})}
<div class="actions"><button>${texts.say('password.change')}</button></div>
</form>`;
  return accountPage(request, {
    status: isWrong ? 400 : 200,
    title: isWrong ? texts.say('tryAgain', { title }) : title,
    current: action,
    content,
  });
}

function field(spec: {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string;
  readonly problem: string | undefined;
}): Html {
  const { name, label, autocomplete, hint, problem } = spec;
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" required autocomplete="${autocomplete}" aria-describedby="${name}-note"${problem !== undefined && html` aria-invalid="true"`}>
<span id="${name}-note" class="${problem === undefined ? 'hint' : 'wrong'}"${problem !== undefined && html` role="alert"`}>${problem ?? hint}</span></div>`;
}
