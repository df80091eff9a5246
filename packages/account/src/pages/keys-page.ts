import { addConsumer, type Consumer, type ConsumerSpec, listConsumersOf, revokeConsumer } from '@gantry/service';
import type { Html } from '@gantry/service/pages';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { date } from '../html/date.ts';
import { holdScript } from '../html/hold-script.ts';
import { membersOnly } from '../html/members-only.ts';
import { name } from '../html/name.ts';
import { revokeButton } from '../html/revoke-button.ts';
import type { PageContext } from '../http/page-context.ts';
import { type PageMethods, seeOther } from '../http/page-methods.ts';
import type { MemberRequest } from '../http/page-request.ts';
import { keyForm, keysPath as path, signatureOf } from './key-form.ts';
import { newKeyPage } from './new-key-page.ts';

const revoking = '/account/keys/revoke';
const mostKeys = 50;
const longestName = 100;

/** Makes the page on which members register consumers of their own and see each secret once. */
export function keysPage(context: PageContext): PageMethods {
  const { db, secretKey, now } = context;
  return membersOnly(context, {
    get: (request) => list(context, request),
    tooSoon: (request) => list(context, request),
    async post(request) {
      const { form, member, texts } = request;
      const title = (form.get('title') ?? '').trim();
      const kind = form.get('kind') === 'admin' && member.isAdmin ? 'admin' : 'member';
      const anyMember = kind === 'admin' && form.get('any') === 'yes';
      const signature = signatureOf(form);
      if (title === '') return list(context, request, texts.say('keys.noName'));
      if ([...title].length > longestName || /\p{Cc}/u.test(title))
        return list(context, request, texts.say('keys.longName'));
      if ((await listConsumersOf(db, member.id)).length >= mostKeys) {
        return list(context, request, texts.say('keys.most', { count: mostKeys }));
      }
      try {
        const spec = { kind, memberId: member.id, title, anyMember, ...signature } as const;
        const made = await addConsumer(db, { secretKey, now, ...spec });
        return newKeyPage(context, request, { ...made, title });
      } catch (error) {
        if (!(error instanceof SocialError) || error.code !== 'BAD_REQUEST') throw error;
        return list(context, request, problemOf(request, signature));
      }
    },
  });
}

// The service's own text is English and for developers; of the fields only the public key is left.
function problemOf({ texts }: MemberRequest, { publicKey }: Pick<ConsumerSpec, 'publicKey'>): string {
  if (publicKey === undefined) return texts.say('keys.refused');
  return texts.say(publicKey.includes('PRIVATE KEY') ? 'keys.private' : 'keys.notPublic');
}

export function revokeKey(context: PageContext): PageMethods {
  return membersOnly(context, {
    get: async () => seeOther(path),
    async post({ form, member }) {
      const revoked = await revokeConsumer(context.db, form.get('key') ?? '', { memberId: member.id });
      return seeOther(`${path}?revoked=${revoked ? 'yes' : 'no'}`);
    },
    tooSoon: (request) => list(context, request),
  });
}

/** @param problem Fault of the form, which keeps what was typed. */
async function list(context: PageContext, request: MemberRequest, problem?: string): Promise<HttpResponse> {
  const { texts, settings, member } = request;
  const consumers = await listConsumersOf(context.db, member.id);
  const title = texts.say('nav.keys');
  const content = html`<header><h1>${title}</h1>
<p class="lead">${texts.rich('keys.lead', { site: name(settings.name) })}</p></header>
${notice(request)}
${
  consumers.length === 0
    ? html`<div class="empty"><h2>${texts.say('keys.none')}</h2><p class="muted">${texts.say('keys.noneText')}</p></div>`
    : html`<ul class="rows">${consumers.map((one) => row(context, request, one))}</ul>`
}
${keyForm(context, request, problem)}`;
  return accountPage(context, request, {
    status: problem === undefined ? 200 : 400,
    title: problem === undefined ? title : texts.say('tryAgain', { title }),
    current: path,
    content,
    script: holdScript,
  });
}

function notice({ query, texts }: MemberRequest): Html | undefined {
  const revoked = query.get('revoked');
  if (revoked === 'yes') {
    return html`<div class="notice good" role="status"><p>${texts.say('keys.revoked')}</p></div>`;
  }
  if (revoked === 'no') return html`<div class="notice" role="status"><p>${texts.say('keys.notRevoked')}</p></div>`;
  return undefined;
}

function row(context: PageContext, request: MemberRequest, consumer: Consumer): Html {
  const { key, title, kind, anyMember, createdAt } = consumer;
  const { texts } = request;
  const made = texts.rich('keys.made', { date: date(request, Date.parse(createdAt)) });
  return html`<li><div><h2>${name(title || texts.say('keys.untitled'))}${
    kind === 'admin' && html` <span class="tag">${texts.say(anyMember ? 'keys.anyMember' : 'keys.admin')}</span>`
  }</h2>
<p><code>${key}</code></p><p class="muted small">${made}</p></div>
${revokeButton(context, request, {
  action: revoking,
  fields: { key },
  open: texts.say('keys.revoke'),
  of: title || key,
  warning: texts.say('keys.warning'),
  confirm: texts.say('keys.revokeNow'),
})}</li>`;
}
