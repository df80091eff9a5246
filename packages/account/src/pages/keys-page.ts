import { addConsumer, type Consumer, type ConsumerSpec, listConsumersOf, revokeConsumer } from '@gantry/service';
import { type HttpResponse, nameProblem, SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage, membersOnly } from '../html/account-page.ts';
import { date, list, name } from '../html/blocks.ts';
import { holdScript } from '../html/hold-script.ts';
import { revocation, revokeButton, revokedNotice } from '../html/revoke-button.ts';
import type { Html } from '../messages/html.ts';
import type { MemberRequest } from '../request/page-request.ts';
import { keyForm, keysPath as path, signatureOf } from './key-form.ts';
import { newKeyPage } from './new-key-page.ts';

const revoking = '/account/keys/revoke';
const mostKeys = 50;
const longestName = 100;

/** Registers consumers of the member's own and shows each secret once. */
export const keysPage = membersOnly({
  get: (request) => show(request),
  tooSoon: (request) => show(request),
  async post(request) {
    const { context, form, member, texts } = request;
    const { db, secretKey, now } = context;
    const title = (form.get('title') ?? '').trim();
    const kind = form.get('kind') === 'admin' && member.isAdmin ? 'admin' : 'member';
    const anyMember = kind === 'admin' && form.get('any') === 'yes';
    const signature = signatureOf(form);
    if (title === '') return show(request, texts.say('keys.noName'));
    if ([...title].length > longestName || nameProblem(title) !== undefined)
      return show(request, texts.say('keys.longName'));
    if ((await listConsumersOf(db, member.id)).length >= mostKeys) {
      return show(request, texts.say('keys.most', { count: mostKeys }));
    }
    try {
      const spec = { kind, memberId: member.id, title, anyMember, ...signature } as const;
      const made = await addConsumer(db, { secretKey, now, ...spec });
      return newKeyPage(request, { ...made, title });
    } catch (error) {
      if (!(error instanceof SocialError) || error.code !== 'BAD_REQUEST') throw error;
      return show(request, problemOf(request, signature));
    }
  },
});

// The service's own text is English and for developers; of the fields only the public key is left.
function problemOf({ texts }: MemberRequest, { publicKey }: Pick<ConsumerSpec, 'publicKey'>): string {
  if (publicKey === undefined) return texts.say('keys.refused');
  return texts.say(publicKey.includes('PRIVATE KEY') ? 'keys.private' : 'keys.notPublic');
}

export const revokeKey = revocation({ path, show: (request) => show(request) }, ({ context, form, member }) =>
  revokeConsumer(context.db, form.get('key') ?? '', { memberId: member.id }),
);

/** @param problem Fault of the form, which keeps what was typed. */
async function show(request: MemberRequest, problem?: string): Promise<HttpResponse> {
  const { context, texts, settings, member } = request;
  const consumers = await listConsumersOf(context.db, member.id);
  const title = texts.say('nav.keys');
  const content = html`<header><h1>${title}</h1>
<p class="lead">${texts.rich('keys.lead', { site: name(settings.name) })}</p></header>
${revokedNotice(request, 'keys')}
${list(texts, { of: 'keys', kind: 'rows', items: consumers.map((one) => row(request, one)) })}
${keyForm(request, problem)}`;
  return accountPage(request, {
    status: problem === undefined ? 200 : 400,
    title: problem === undefined ? title : texts.say('tryAgain', { title }),
    current: path,
    content,
    script: holdScript,
  });
}

function row(request: MemberRequest, consumer: Consumer): Html {
  const { key, title, kind, anyMember, createdAt } = consumer;
  const { texts } = request;
  const made = texts.rich('keys.made', { date: date(request, Date.parse(createdAt)) });
  return html`<li><div><h2>${name(title || texts.say('keys.untitled'))}${
    kind === 'admin' && html` <span class="tag">${texts.say(anyMember ? 'keys.anyMember' : 'keys.admin')}</span>`
  }</h2>
<p><code>${key}</code></p><p class="muted small">${made}</p></div>
${revokeButton(request, {
  action: revoking,
  fields: { key },
  open: texts.say('keys.revoke'),
  of: title || key,
  warning: texts.say('keys.warning'),
  confirm: texts.say('keys.revokeNow'),
})}</li>`;
}
