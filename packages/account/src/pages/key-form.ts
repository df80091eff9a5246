import { type ConsumerSpec, signatureMethods } from '@gantry/service';
import { html, raw } from 'hono/html';
import { notice } from '../html/blocks.ts';
import type { Html } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';
import type { MemberRequest } from '../request/page-request.ts';

export const keysPath = '/account/keys';

export function signatureOf(form: URLSearchParams): Pick<ConsumerSpec, 'method' | 'publicKey'> {
  const method = signatureMethods.find((one) => one === form.get('method')) ?? 'HMAC-SHA1';
  return method === 'RSA-SHA1' ? { method, publicKey: form.get('public_key') ?? '' } : { method };
}

/** Renders the form that makes a key, with the values that were typed, but for private keys. */
export function keyForm(request: MemberRequest, problem: string | undefined): Html {
  const { context, formOwner: owner, member, form: typed, texts } = request;
  return html`<section class="card" aria-labelledby="new-key"><header><h2 id="new-key">${texts.say('keys.make')}</h2></header>
<form class="fields" method="post" action="${keysPath}">${context.forms.field({ owner, action: keysPath, isHeld: true })}
${problem !== undefined && notice('bad', problem)}
<div class="field"><label for="title">${texts.say('keys.name')}</label>
<input id="title" name="title" value="${typed.get('title') ?? ''}" required maxlength="100" autocomplete="off" aria-describedby="title-note">
<span id="title-note" class="hint">${texts.say('keys.nameHint')}</span></div>
${member.isAdmin && adminChoice(typed, texts)}
${signatureChoice(typed, texts)}
<div class="actions"><button>${texts.say('keys.make')}</button></div></form></section>`;
}

function adminChoice(typed: URLSearchParams, texts: Texts): Html {
  const isAdmin = typed.get('kind') === 'admin';
  return html`<fieldset class="field"><legend>${texts.say('keys.for')}</legend>
<label class="choice"><input type="radio" name="kind" value="member"${isAdmin || raw(' checked')}><span>${texts.say('keys.forMe')}<span class="hint">${texts.say('keys.forMeHint')}</span></span></label>
<label class="choice"><input type="radio" name="kind" value="admin"${isAdmin && raw(' checked')}><span>${texts.say('keys.forAdmin')}<span class="hint">${texts.say('keys.forAdminHint')}</span></span></label>
<label class="choice within"><input type="checkbox" name="any" value="yes"${typed.get('any') === 'yes' && raw(' checked')}><span>${texts.say('keys.forAny')}<span class="hint">${texts.say('keys.forAnyHint')}</span></span></label>
</fieldset>`;
}

function signatureChoice(typed: URLSearchParams, texts: Texts): Html {
  const { method } = signatureOf(typed);
  return html`<details class="more"${method !== 'HMAC-SHA1' && raw(' open')}><summary>${texts.say('keys.signing')}</summary><div class="fields">
<div class="field"><label for="method">${texts.say('keys.method')}</label>
<select id="method" name="method" aria-describedby="method-note">${signatureMethods.map((one) => html`<option${one === method && raw(' selected')}>${one}</option>`)}</select>
<span id="method-note" class="hint">${texts.say('keys.methodHint')}</span></div>
<div class="field"><label for="public_key">${texts.say('keys.public')}</label>
<textarea id="public_key" name="public_key" rows="4" spellcheck="false" autocomplete="off" aria-describedby="public-note">${shownKey(typed)}</textarea>
<span id="public-note" class="hint">${texts.say('keys.publicHint')}</span></div>
</div></details>`;
}

/** Returns the key to show again. Text that may be a private one is not repeated in a response. */
function shownKey(typed: URLSearchParams): string {
  const text = typed.get('public_key') ?? '';
  return /-----BEGIN (RSA PUBLIC KEY|PUBLIC KEY|CERTIFICATE)-----/.test(text) && !/PRIVATE/i.test(text) ? text : '';
}
