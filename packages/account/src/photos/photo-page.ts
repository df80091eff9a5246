import { type HttpResponse, SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { holdScript } from '../html/hold-script.ts';
import { revokeButton } from '../html/revoke-button.ts';
import type { PageContext } from '../http/page-context.ts';
import { seeOther } from '../http/page-methods.ts';
import type { MemberRequest } from '../http/page-request.ts';
import type { ItemMethods } from './item-methods.ts';
import type { Described } from './owned-rows.ts';
import { paths } from './paths.ts';
import { type OwnPhoto, ownPhoto, removePhoto, savePhoto } from './photo-rows.ts';
import { readTexts, textFields } from './text-fields.ts';
import { visibilityField } from './visibility-field.ts';

/** Makes the page of one photo, with the form for its caption and visibility. */
export function photoPage(context: PageContext): ItemMethods {
  const { db, now, random } = context;
  return {
    async get(request, id) {
      const photo = await requirePhoto(context, request, id);
      return show(context, request, { photo, described: photo });
    },
    async post(request, id) {
      const photo = await requirePhoto(context, request, id);
      const { described, problem } = readTexts(request, { needsTitle: false });
      if (problem !== undefined) return show(context, request, { photo, described, problem });
      await savePhoto(db, { id, memberId: request.member.id, ...described, nowMs: now(), random });
      return seeOther(`${paths.photo(id)}?saved`);
    },
  };
}

export function deletePhoto(context: PageContext): ItemMethods {
  return {
    get: async (_, id) => seeOther(paths.photo(id)),
    async post(request, id) {
      const { album_id } = await requirePhoto(context, request, id);
      await context.images.removeUnused(await removePhoto(context.db, { id, memberId: request.member.id }));
      return seeOther(`${paths.album(album_id)}?deleted`);
    },
    async tooSoon(request, id) {
      const photo = await requirePhoto(context, request, id);
      return show(context, request, { photo, described: photo });
    },
  };
}

/** @throws SocialError NOT_FOUND for an id without a photo, and for another member's. */
async function requirePhoto({ db }: PageContext, { member, texts }: MemberRequest, id: string): Promise<OwnPhoto> {
  const photo = await ownPhoto(db, { id, memberId: member.id });
  if (!photo) throw new SocialError('NOT_FOUND', texts.say('photo.missing'));
  return photo;
}

function show(
  context: PageContext,
  request: MemberRequest,
  { photo, described, problem }: { readonly photo: OwnPhoto; readonly described: Described; readonly problem?: string },
): Promise<HttpResponse> {
  const { texts, formOwner: owner } = request;
  const { id, album_id, title, url, file } = photo;
  const name = title || texts.say('photo.untitled');
  const action = paths.photo(id);
  const content = html`<header><p class="small"><a href="${paths.album(album_id)}">${texts.say('album.back')}</a></p>
<h1 dir="auto">${name}</h1></header>
${request.query.has('saved') && html`<div class="notice good" role="status"><p>${texts.say('photo.saved')}</p></div>`}
${
  file === null
    ? html`<p><a href="${url}">${texts.say('photo.elsewhereText')}</a></p>`
    : html`<img class="whole" src="${url}" alt="${name}">`
}
<form class="card fields" method="post" action="${action}">${context.forms.field({ owner, action })}
${textFields(texts, described, { needsTitle: false, problem })}
${visibilityField(texts, { of: 'photo', chosen: described.level })}
<div class="actions"><button>${texts.say('save')}</button></div></form>
${revokeButton(context, request, {
  action: paths.deletePhoto(id),
  fields: {},
  open: texts.say('photo.delete'),
  of: name,
  warning: texts.say('photo.warning'),
  confirm: texts.say('deleteNow'),
})}`;
  return accountPage(context, request, {
    status: problem === undefined ? 200 : 400,
    title: name,
    current: paths.albums,
    content,
    script: holdScript,
  });
}
