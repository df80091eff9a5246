import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { name } from '../html/blocks.ts';
import { copyable, copyScript } from '../html/copy-button.ts';
import type { MemberRequest } from '../request/page-request.ts';

/** Renders the code that a member takes to a consumer without a callback. */
export function verifierPage(
  request: MemberRequest,
  { app, verifier }: { readonly app: string; readonly verifier: string },
): Promise<HttpResponse> {
  const { texts } = request;
  const content = html`<div class="card">
<header><h1>${texts.say('consent.allowed')}</h1>
<p class="lead">${texts.rich('consent.allowedText', { app: name(app) })}</p></header>
<div class="big">${copyable(texts, { id: 'verifier', text: verifier })}</div>
<p class="muted small">${texts.say('consent.secret')}</p>
</div>`;
  return accountPage(request, { title: texts.say('consent.codeTitle'), content, width: 'narrow', script: copyScript });
}
