import { type Authorization, listAuthorizations, revokeAuthorization } from '@gantry/service/account';
import { type HttpResponse, type PermissionSentences, sentenceFor } from '@gantry/wire';
import { messagesIn } from '@gantry/wire/texts';
import { html } from 'hono/html';
import { accountPage, membersOnly } from '../html/account-page.ts';
import { date, list, name } from '../html/blocks.ts';
import { holdScript } from '../html/hold-script.ts';
import { revocation, revokeButton, revokedNotice } from '../html/revoke-button.ts';
import type { Html } from '../messages/html.ts';
import type { PageApp } from '../request/page-context.ts';
import type { MemberRequest } from '../request/page-request.ts';

const path = '/account/apps';
const revoking = '/account/apps/revoke';
const withdrawing = '/account/apps/withdraw';

/** Lists the authorized consumers (contract §5) and apps of a member, with buttons to revoke. */
export const appsPage = membersOnly({ get: show });

export const revokeConsumer = revocation({ path, show }, ({ context, form, member }) => {
  const consumerKey = form.get('consumer') ?? '';
  const flow = form.get('flow') === 'admin' ? 'admin' : 'member';
  return revokeAuthorization(context.db, { memberId: member.id, consumerKey, flow });
});

export const revokePageApp = revocation({ path, show }, async ({ context, form, member }) => {
  const removesData = form.get('data') === 'yes';
  return (await context.pageApps?.revoke(member.id, form.get('app') ?? '', { removesData })) ?? false;
});

async function show(request: MemberRequest): Promise<HttpResponse> {
  const { context, texts, member } = request;
  const [authorizations, apps, { sentences }] = await Promise.all([
    listAuthorizations(context.db, member.id),
    context.pageApps?.list(member.id, texts.language) ?? [],
    messagesIn(texts.language),
  ]);
  const title = texts.say('nav.apps');
  const items = [
    ...authorizations.map((one) => consumerRow(request, one)),
    ...apps.map((app) => appRow(request, { ...app, sentences })),
  ];
  const content = html`<header><h1>${title}</h1>
<p class="lead">${texts.say('apps.lead')}</p></header>
${revokedNotice(request, 'apps')}
${list(texts, { of: 'apps', kind: 'rows', items })}`;
  return accountPage(request, { title, current: path, content, script: holdScript });
}

function consumerRow(request: MemberRequest, authorization: Authorization): Html {
  const { title, flow, consumerKey, createdAtMs } = authorization;
  const { texts } = request;
  const since = texts.rich('apps.since', { date: date(request, createdAtMs) });
  return html`<li><div><h2>${name(title)}</h2>
<p class="muted small">${texts.say(flow === 'admin' ? 'apps.admin' : 'apps.member')} · ${since}</p></div>
${revokeButton(request, {
  action: revoking,
  fields: { consumer: consumerKey, flow },
  open: texts.say('apps.revoke'),
  of: title,
  warning: texts.say('apps.warning'),
  confirm: texts.say('apps.revokeNow'),
})}</li>`;
}

function appRow(request: MemberRequest, app: PageApp & { readonly sentences: PermissionSentences }): Html {
  const { id, title, granted, decidedAtMs, sentences } = app;
  const { texts, settings } = request;
  const since =
    decidedAtMs === undefined
      ? texts.say('apps.trusted', { site: settings.name })
      : texts.rich('apps.since', { date: date(request, decidedAtMs) });
  return html`<li><div><h2>${name(title)}</h2>
<p class="muted small">${texts.say('apps.onPages', { site: settings.name })} · ${since}</p>
<ul class="muted small">${granted.map((one) => html`<li>${sentenceFor(one, sentences)}</li>`)}</ul></div>
${revokeButton(request, {
  action: withdrawing,
  fields: { app: id },
  open: texts.say('apps.revoke'),
  of: title,
  warning: texts.say('apps.warningKeeps'),
  also: { name: 'data', label: texts.say('apps.removeData') },
  confirm: texts.say('apps.revokeNow'),
})}</li>`;
}
