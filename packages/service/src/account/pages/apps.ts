import { permissionWords, sentenceFor } from '@gantry/wire';
import { html } from 'hono/html';
import { type Authorization, listAuthorizations, revokeAuthorization } from '../../authorizations.ts';
import type { Answer } from '../../exchange.ts';
import { revokeButton } from '../confirm.ts';
import { day } from '../day.ts';
import { holdScript } from '../held-forms.ts';
import type { Html } from '../layout.ts';
import { accountPage } from '../shell.ts';
import { type Desk, type MemberVisit, type Methods, type PageApp, seeOther } from '../visit.ts';
import { asMember } from './as-member.ts';

const path = '/account/apps';
const revoking = '/account/apps/revoke';
const withdrawing = '/account/apps/withdraw';

/** What a member authorized (contract §5) and lets apps on the site's pages do, each with a way to take it back. */
export function appsPage(desk: Desk): Methods {
  return asMember(desk, { get: (visit) => show(desk, visit) });
}

async function show(desk: Desk, visit: MemberVisit): Promise<Answer> {
  const { id } = visit.member;
  const [authorizations, apps] = await Promise.all([listAuthorizations(desk.db, id), desk.pageApps?.list(id) ?? []]);
  return list(desk, visit, { authorizations, apps });
}

export function revokeApp(desk: Desk): Methods {
  return asMember(desk, {
    get: async () => seeOther(path),
    async post({ form, member }) {
      const consumerKey = form.get('consumer') ?? '';
      const flow = form.get('flow') === 'admin' ? 'admin' : 'member';
      const revoked = await revokeAuthorization(desk.db, { memberId: member.id, consumerKey, flow });
      return seeOther(`${path}?revoked=${revoked ? 'yes' : 'no'}`);
    },
    again: (visit) => show(desk, visit),
  });
}

export function revokePageApp(desk: Desk): Methods {
  return asMember(desk, {
    get: async () => seeOther(path),
    async post({ form, member }) {
      const removesData = form.get('data') === 'yes';
      const revoked = await desk.pageApps?.revoke(member.id, form.get('app') ?? '', { removesData });
      return seeOther(`${path}?revoked=${revoked ? 'yes' : 'no'}`);
    },
    again: (visit) => show(desk, visit),
  });
}

interface Listed {
  readonly authorizations: readonly Authorization[];
  readonly apps: readonly PageApp[];
}

function list(desk: Desk, visit: MemberVisit, { authorizations, apps }: Listed): Promise<Answer> {
  const content = html`<header><h1>Apps and sites</h1>
<p class="lead">These may use your account, because you allowed it. Take it back at any time: they are refused at once.</p></header>
${notices[visit.query.get('revoked') ?? '']}
${
  authorizations.length + apps.length === 0
    ? html`<div class="empty"><h2>Nobody has access</h2><p class="muted">When you let an app or another site use your account, it appears here.</p></div>`
    : html`<ul class="rows">${authorizations.map((one) => row(desk, visit, one))}${apps.map((app) => appRow(desk, visit, app))}</ul>`
}`;
  return accountPage(desk, visit, { title: 'Apps and sites', current: path, content, script: holdScript });
}

const notices: Readonly<Record<string, Html>> = {
  yes: html`<div class="notice good" role="status"><p>Access was taken back. It is refused from now on.</p></div>`,
  no: html`<div class="notice" role="status"><p>That access was taken back already.</p></div>`,
};

function row(desk: Desk, visit: MemberVisit, authorization: Authorization): Html {
  const { title, flow, consumerKey, createdAtMs } = authorization;
  const what = flow === 'admin' ? 'Acts for every member' : 'Sees what you see, posts activities as you';
  return html`<li><div><h2><bdi>${title}</bdi></h2>
<p class="muted small">${what} · since ${day(createdAtMs, visit.settings.timeZone)}</p></div>
${revokeButton(desk, visit, {
  action: revoking,
  fields: { consumer: consumerKey, flow },
  open: 'Take back',
  of: title,
  warning: 'It loses access at once. To come back it has to ask you again.',
  confirm: 'Take back now',
})}</li>`;
}

function appRow(desk: Desk, visit: MemberVisit, { id, title, granted, decidedAtMs }: PageApp): Html {
  const { name, timeZone } = visit.settings;
  const since = decidedAtMs === undefined ? html`trusted by ${name}` : html`since ${day(decidedAtMs, timeZone)}`;
  return html`<li><div><h2><bdi>${title}</bdi></h2>
<p class="muted small">Runs on pages of ${name} · ${since}</p>
<ul class="muted small">${granted.map((one) => html`<li>${sentenceFor(one, permissionWords)}</li>`)}</ul></div>
${revokeButton(desk, visit, {
  action: withdrawing,
  fields: { app: id },
  open: 'Take back',
  of: title,
  warning: 'It loses access at once. To come back it has to ask you again; then it finds what it saved for you.',
  also: { name: 'data', label: 'Also remove what it saved for me' },
  confirm: 'Take back now',
})}</li>`;
}
