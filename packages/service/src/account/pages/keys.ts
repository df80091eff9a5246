import { SocialError } from '@gantry/wire';
import { html, raw } from 'hono/html';
import {
  addConsumer,
  type Consumer,
  type ConsumerSpec,
  type Credentials,
  listConsumersOf,
  revokeConsumer,
} from '../../consumers.ts';
import type { Answer } from '../../exchange.ts';
import { revokeButton } from '../confirm.ts';
import { copyable, copyScript } from '../copy-button.ts';
import { day } from '../day.ts';
import { holdScript } from '../held-forms.ts';
import type { Html } from '../layout.ts';
import { accountPage } from '../shell.ts';
import { type Desk, type MemberVisit, type Methods, seeOther } from '../visit.ts';
import { asMember } from './as-member.ts';

const path = '/account/keys';
const revoking = '/account/keys/revoke';
/** Keys of one member. */
const most = 50;

/** Where members register consumers of their own and see each secret once. */
export function keysPage(desk: Desk): Methods {
  const { db, secretKey, now } = desk;
  return asMember(desk, {
    get: (visit) => list(desk, visit),
    again: (visit) => list(desk, visit),
    async post(visit) {
      const { form, member } = visit;
      const title = (form.get('title') ?? '').trim();
      if (title === '') return list(desk, visit, 'Give the key a name.');
      if ((await listConsumersOf(db, member.id)).length >= most) {
        return list(desk, visit, `You have ${most} keys. Revoke one that you no longer use first.`);
      }
      const kind = form.get('kind') === 'admin' && member.isAdmin ? 'admin' : 'member';
      const anyMember = kind === 'admin' && form.get('any') === 'yes';
      const signature = signatureOf(form);
      try {
        const made = await addConsumer(db, {
          secretKey,
          now,
          kind,
          memberId: member.id,
          title,
          anyMember,
          ...signature,
        });
        return shownOnce(desk, visit, { ...made, title });
      } catch (error) {
        if (!(error instanceof SocialError) || error.code !== 'BAD_REQUEST') throw error;
        return list(desk, visit, error.message);
      }
    },
  });
}

export function revokeKey(desk: Desk): Methods {
  return asMember(desk, {
    get: async () => seeOther(path),
    async post({ form, member }) {
      const revoked = await revokeConsumer(desk.db, form.get('key') ?? '', { memberId: member.id });
      return seeOther(`${path}?revoked=${revoked ? 'yes' : 'no'}`);
    },
    again: (visit) => list(desk, visit),
  });
}

function shownOnce(
  desk: Desk,
  visit: MemberVisit,
  { key, secret, title }: Credentials & { readonly title: string },
): Promise<Answer> {
  const content = html`<header><h1>Your new key</h1>
<p class="lead">For “<bdi>${title}</bdi>”. It works from now on.</p></header>
${secret === '' ? signsItself : keepSecret}
<div class="card"><div class="field"><h2>Key</h2>${copyable({ id: 'key', text: key })}</div>
${secret !== '' && html`<div class="field"><h2>Secret</h2>${copyable({ id: 'secret', text: secret })}</div>`}</div>
<div class="actions"><a class="button quiet" href="${path}">I have kept it</a></div>`;
  return accountPage(desk, visit, { title: 'Your new key', current: path, content, script: copyScript });
}

const keepSecret = html`<div class="notice warning"><p><b>The secret is shown this once.</b> Keep it where your program reads it, and nowhere else. If it is lost, make another key.</p></div>`;
const signsItself = html`<div class="notice"><p>Your program signs with its own private key, so there is no secret to keep here.</p></div>`;

const methods = ['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1'] as const;

function signatureOf(form: URLSearchParams): Pick<ConsumerSpec, 'method' | 'publicKey'> {
  const method = methods.find((one) => one === form.get('method')) ?? 'HMAC-SHA1';
  return method === 'RSA-SHA1' ? { method, publicKey: form.get('public_key') ?? '' } : { method };
}

/** @param problem Of the form, which keeps what was typed. */
async function list(desk: Desk, visit: MemberVisit, problem?: string): Promise<Answer> {
  const consumers = await listConsumersOf(desk.db, visit.member.id);
  const content = html`<header><h1>API keys</h1>
<p class="lead">A key lets a program of yours use <bdi>${visit.settings.name}</bdi> in your name, or ask other members whether it may use their accounts.</p></header>
${notices[visit.query.get('revoked') ?? '']}
${
  consumers.length === 0
    ? html`<div class="empty"><h2>No keys yet</h2><p class="muted">Make one below when you have a program that needs it.</p></div>`
    : html`<ul class="rows">${consumers.map((one) => row(desk, visit, one))}</ul>`
}
${form(desk, visit, problem)}`;
  return accountPage(desk, visit, {
    status: problem === undefined ? 200 : 400,
    title: problem === undefined ? 'API keys' : 'API keys: try again',
    current: path,
    content,
    script: holdScript,
  });
}

const notices: Readonly<Record<string, Html>> = {
  yes: html`<div class="notice good" role="status"><p>The key is revoked. Programs that use it are refused from now on.</p></div>`,
  no: html`<div class="notice" role="status"><p>That key was revoked already.</p></div>`,
};

function row(desk: Desk, visit: MemberVisit, { key, title, kind, anyMember, createdAt }: Consumer): Html {
  return html`<li><div><h2><bdi>${title || 'Without a name'}</bdi>${
    kind === 'admin' && html` <span class="tag">${anyMember ? 'Administrator, any member' : 'Administrator'}</span>`
  }</h2>
<p><code>${key}</code></p><p class="muted small">Made ${day(Date.parse(createdAt), visit.settings.timeZone)}</p></div>
${revokeButton(desk, visit, {
  action: revoking,
  fields: { key },
  open: 'Revoke',
  of: title || key,
  warning: 'Programs that use it are refused at once, and so is all access that members gave it.',
  confirm: 'Revoke now',
})}</li>`;
}

function form({ forms }: Desk, { visitor, member, form: typed }: MemberVisit, problem: string | undefined): Html {
  return html`<section class="card" aria-labelledby="new-key"><header><h2 id="new-key">Make a key</h2></header>
<form class="fields" method="post" action="${path}">${forms.field({ visitor, action: path, isHeld: true })}
${problem !== undefined && html`<div class="notice bad" role="alert"><p>${problem}</p></div>`}
<div class="field"><label for="title">Name</label>
<input id="title" name="title" value="${typed.get('title') ?? ''}" required maxlength="100" autocomplete="off" aria-describedby="title-note">
<span id="title-note" class="hint">Members read it when your program asks to use their accounts.</span></div>
${member.isAdmin && adminChoice(typed)}
${signatureChoice(typed)}
<div class="actions"><button>Make a key</button></div></form></section>`;
}

function adminChoice(typed: URLSearchParams): Html {
  const isAdmin = typed.get('kind') === 'admin';
  return html`<fieldset class="field"><legend>For whom</legend>
<label class="choice"><input type="radio" name="kind" value="member"${isAdmin || raw(' checked')}><span>For me<span class="hint">Its own requests speak for me only.</span></span></label>
<label class="choice"><input type="radio" name="kind" value="admin"${isAdmin && raw(' checked')}><span>As an administrator<span class="hint">An administrator can authorize it for every member.</span></span></label>
<label class="choice within"><input type="checkbox" name="any" value="yes"${typed.get('any') === 'yes' && raw(' checked')}><span>For any member, without asking<span class="hint">For the site’s own programs only. Goes with “As an administrator”.</span></span></label>
</fieldset>`;
}

function signatureChoice(typed: URLSearchParams): Html {
  const { method } = signatureOf(typed);
  return html`<details class="more"${method !== methods[0] && raw(' open')}><summary>How it signs</summary><div class="fields">
<div class="field"><label for="method">Method</label>
<select id="method" name="method" aria-describedby="method-note">${methods.map((one) => html`<option${one === method && raw(' selected')}>${one}</option>`)}</select>
<span id="method-note" class="hint">What your OAuth library uses. If you do not know, leave it.</span></div>
<div class="field"><label for="public_key">Public key, for RSA-SHA1</label>
<textarea id="public_key" name="public_key" rows="4" spellcheck="false" autocomplete="off" aria-describedby="public-note">${typed.get('public_key') ?? ''}</textarea>
<span id="public-note" class="hint">PEM, RSA, 2,048 to 4,096 bits. The private key stays with you.</span></div>
</div></details>`;
}
