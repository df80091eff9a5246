import { html } from 'hono/html';
import type { Answer } from '../../exchange.ts';
import { passwordWrites } from '../../store/passwords.ts';
import { networkOfClient } from '../attempt-limits.ts';
import type { FairQueue } from '../fair-queue.ts';
import type { Html } from '../layout.ts';
import { type Passwords, passwordLength, passwordProblem } from '../passwords.ts';
import type { Sessions } from '../sessions.ts';
import { accountPage, askToSignIn } from '../shell.ts';
import type { Credential, SignIn } from '../sign-in.ts';
import { type Desk, type MemberVisit, type Methods, seeOther } from '../visit.ts';
import { asMember } from './as-member.ts';
import { busyProblem } from './sign-in.ts';

const action = '/account/password';

export interface PasswordTools {
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly inTurn: FairQueue;
  readonly signIn: (credential: Credential) => Promise<SignIn>;
}

/** Where members change their password, which signs them out everywhere else. */
export function passwordPage(desk: Desk, { passwords, sessions, inTurn, signIn }: PasswordTools): Methods {
  return asMember(desk, {
    get: (visit) => form(desk, visit, {}),
    async post(visit) {
      const fresh = visit.form.get('new') ?? '';
      const problem = passwordProblem(fresh);
      if (problem !== undefined) return form(desk, visit, { fresh: problem });
      const { id: memberId } = visit.member;
      const session = await sessions.find(visit.request);
      if (!session) return askToSignIn(desk, visit);
      const password = visit.form.get('old') ?? '';
      const result = await signIn({ memberId, password, client: visit.client });
      if (result === 'wrong') return form(desk, visit, { old: 'That is not your present password.' });
      if (result === 'busy') return form(desk, visit, { old: busyProblem });
      if (result !== 'right') {
        const minutes = Math.ceil(result.limitedForS / 60);
        return form(desk, visit, { old: `There were too many attempts. Try again in ${minutes} min.` });
      }
      const hash = await inTurn(networkOfClient(visit.client), () => passwords.hash(fresh));
      if (hash === 'busy') return form(desk, visit, { old: busyProblem });
      await desk.db.batch(passwordWrites({ memberId, hash, nowMs: desk.now() }));
      // The session that stays is a new one: whoever copied the old cookie is out, too.
      return seeOther(`${action}?done=1`, { 'set-cookie': await sessions.begin(memberId, visit.request) });
    },
  });
}

interface Problems {
  readonly old?: string;
  readonly fresh?: string;
}

function form(desk: Desk, visit: MemberVisit, problems: Problems): Promise<Answer> {
  const isWrong = problems.old !== undefined || problems.fresh !== undefined;
  const content = html`<header><h1>Password</h1>
<p class="lead">A change signs you out in every other browser.</p></header>
${visit.query.has('done') && !isWrong && html`<div class="notice good" role="status"><p>Your password is changed. Other browsers are signed out.</p></div>`}
<form class="card fields" method="post" action="${action}">
${desk.forms.field({ visitor: visit.visitor, action })}
<input name="username" value="${visit.member.id}" autocomplete="username" readonly hidden>
${field({ name: 'old', label: 'Present password', autocomplete: 'current-password', problem: problems.old })}
${field({
  name: 'new',
  label: 'New password',
  autocomplete: 'new-password',
  hint: `At least ${passwordLength.least} characters. Several words make a good one.`,
  problem: problems.fresh,
})}
<div class="actions"><button>Change password</button></div>
</form>`;
  return accountPage(desk, visit, {
    status: isWrong ? 400 : 200,
    title: isWrong ? 'Password: try again' : 'Password',
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
