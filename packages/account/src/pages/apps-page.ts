import { type Authorization, listAuthorizations, revokeAuthorization } from '@gantry/service';
import type { Html } from '@gantry/service/pages';
import { type HttpResponse, messagesIn, type PermissionSentences, sentenceFor } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { date } from '../html/date.ts';
import { holdScript } from '../html/hold-script.ts';
import { membersOnly } from '../html/members-only.ts';
import { name } from '../html/name.ts';
import { revokeButton } from '../html/revoke-button.ts';
import type { PageApp, PageContext } from '../http/page-context.ts';
import { type PageMethods, seeOther } from '../http/page-methods.ts';
import type { MemberRequest } from '../http/page-request.ts';

const path = '/account/apps';
const revoking = '/account/apps/revoke';
const withdrawing = '/account/apps/withdraw';

/**
 * Makes the page that lists the consumers that a member authorized (contract §5) and the apps on
 * the site's pages, each with a button that takes the access back.
 */
export function appsPage(context: PageContext): PageMethods {
  return membersOnly(context, { get: (request) => show(context, request) });
}

export function revokeConsumer(context: PageContext): PageMethods {
  return membersOnly(context, {
    get: async () => seeOther(path),
    async post({ form, member }) {
      const consumerKey = form.get('consumer') ?? '';
      const flow = form.get('flow') === 'admin' ? 'admin' : 'member';
      const revoked = await revokeAuthorization(context.db, { memberId: member.id, consumerKey, flow });
      return seeOther(`${path}?revoked=${revoked ? 'yes' : 'no'}`);
    },
    tooSoon: (request) => show(context, request),
  });
}

export function revokePageApp(context: PageContext): PageMethods {
  return membersOnly(context, {
    get: async () => seeOther(path),
    async post({ form, member }) {
      const removesData = form.get('data') === 'yes';
      const revoked = await context.pageApps?.revoke(member.id, form.get('app') ?? '', { removesData });
      return seeOther(`${path}?revoked=${revoked ? 'yes' : 'no'}`);
    },
    tooSoon: (request) => show(context, request),
  });
}

async function show(context: PageContext, request: MemberRequest): Promise<HttpResponse> {
  const { texts, member } = request;
  const [authorizations, apps, { sentences }] = await Promise.all([
    listAuthorizations(context.db, member.id),
    context.pageApps?.list(member.id) ?? [],
    messagesIn(texts.language),
  ]);
  const title = texts.say('nav.apps');
  const content = html`<header><h1>${title}</h1>
<p class="lead">${texts.say('apps.lead')}</p></header>
${notice(request)}
${
  authorizations.length + apps.length === 0
    ? html`<div class="empty"><h2>${texts.say('apps.none')}</h2><p class="muted">${texts.say('apps.noneText')}</p></div>`
    : html`<ul class="rows">${authorizations.map((one) => consumerRow(context, request, one))}${apps.map((app) => appRow(context, request, { ...app, sentences }))}</ul>`
}`;
  return accountPage(context, request, { title, current: path, content, script: holdScript });
}

function notice({ query, texts }: MemberRequest): Html | undefined {
  const revoked = query.get('revoked');
  if (revoked === 'yes') {
    return html`<div class="notice good" role="status"><p>${texts.say('apps.revoked')}</p></div>`;
  }
  if (revoked === 'no') return html`<div class="notice" role="status"><p>${texts.say('apps.notRevoked')}</p></div>`;
  return undefined;
}

function consumerRow(context: PageContext, request: MemberRequest, authorization: Authorization): Html {
  const { title, flow, consumerKey, createdAtMs } = authorization;
  const { texts } = request;
  const since = texts.rich('apps.since', { date: date(request, createdAtMs) });
  return html`<li><div><h2>${name(title)}</h2>
<p class="muted small">${texts.say(flow === 'admin' ? 'apps.admin' : 'apps.member')} · ${since}</p></div>
${revokeButton(context, request, {
  action: revoking,
  fields: { consumer: consumerKey, flow },
  open: texts.say('apps.revoke'),
  of: title,
  warning: texts.say('apps.warning'),
  confirm: texts.say('apps.revokeNow'),
})}</li>`;
}

function appRow(
  context: PageContext,
  request: MemberRequest,
  app: PageApp & { readonly sentences: PermissionSentences },
): Html {
  const { id, title, granted, decidedAtMs, sentences } = app;
  const { texts, settings } = request;
  const since =
    decidedAtMs === undefined
      ? texts.say('apps.trusted', { site: settings.name })
      : texts.rich('apps.since', { date: date(request, decidedAtMs) });
  return html`<li><div><h2>${name(title)}</h2>
<p class="muted small">${texts.say('apps.onPages', { site: settings.name })} · ${since}</p>
<ul class="muted small">${granted.map((one) => html`<li>${sentenceFor(one, sentences)}</li>`)}</ul></div>
${revokeButton(context, request, {
  action: withdrawing,
  fields: { app: id },
  open: texts.say('apps.revoke'),
  of: title,
  warning: texts.say('apps.warningKeeps'),
  also: { name: 'data', label: texts.say('apps.removeData') },
  confirm: texts.say('apps.revokeNow'),
})}</li>`;
}
