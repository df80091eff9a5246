import type { Credentials } from '@gantry/service';
import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { name } from '../html/blocks.ts';
import { copyable, copyScript } from '../html/copy-button.ts';
import type { MemberRequest } from '../request/page-request.ts';
import { keysPath } from './key-form.ts';

/** Renders a new key, with the secret that is shown this once. */
export function newKeyPage(
  request: MemberRequest,
  { key, secret, title }: Credentials & { readonly title: string },
): Promise<HttpResponse> {
  const { texts } = request;
  const warning =
    secret === ''
      ? html`<div class="notice"><p>${texts.say('keys.signsItself')}</p></div>`
      : html`<div class="notice warning"><p><b>${texts.say('keys.once')}</b> ${texts.say('keys.onceText')}</p></div>`;
  const content = html`<header><h1>${texts.say('keys.new')}</h1>
<p class="lead">${texts.rich('keys.newLead', { title: name(title) })}</p></header>
${warning}
<div class="card"><div class="field"><h2>${texts.say('keys.key')}</h2>${copyable(texts, { id: 'key', text: key })}</div>
${secret !== '' && html`<div class="field"><h2>${texts.say('keys.secret')}</h2>${copyable(texts, { id: 'secret', text: secret })}</div>`}</div>
<div class="actions"><a class="button quiet" href="${keysPath}">${texts.say('keys.kept')}</a></div>`;
  return accountPage(request, { title: texts.say('keys.new'), current: keysPath, content, script: copyScript });
}
