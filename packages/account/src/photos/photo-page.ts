import { type MemberPhoto, openPreview, removePhoto, savePhoto } from '@gantry/service/account';
import { type HttpResponse, SocialError, shownName } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { notice } from '../html/blocks.ts';
import { holdScript } from '../html/hold-script.ts';
import { revokeButton } from '../html/revoke-button.ts';
import { type PageMethods, seeOther } from '../request/page-methods.ts';
import type { ItemRequest } from '../request/page-request.ts';
import { describedFields, readDescribed, type Typed } from './described-fields.ts';
import { paths } from './paths.ts';
import { requirePhoto } from './require-item.ts';

/** Shows one photo, with the form for its caption and visibility. */
export const photoPage: PageMethods<ItemRequest> = {
  get: show,
  async post(request) {
    const { context, id, member } = request;
    const photo = await requirePhoto(request);
    const typed = readDescribed(request, 'photo');
    if (typed.problem !== undefined) return form(request, photo, typed);
    await savePhoto(context, { id, memberId: member.id, ...typed.described });
    return seeOther(`${paths.photo(id)}?saved`);
  },
};

export const deletePhoto: PageMethods<ItemRequest> = {
  get: async ({ id }) => seeOther(paths.photo(id)),
  async post(request) {
    const { context, id, member } = request;
    const { album_id } = await requirePhoto(request);
    await removePhoto(context, { id, memberId: member.id });
    return seeOther(`${paths.album(album_id)}?deleted`);
  },
  tooSoon: show,
};

/** Sends the small picture for the owner's pages. Unlike a media URL it needs the session. */
export const preview: PageMethods<ItemRequest> = {
  async get({ context, id, member, texts }) {
    const preview = await openPreview(context, { id, memberId: member.id });
    if (!preview) throw new SocialError('NOT_FOUND', texts.say('photo.noPicture'));
    return {
      status: 200,
      headers: {
        'content-type': preview.type,
        'content-length': String(preview.file.size),
        'cache-control': 'private, no-cache',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      },
      body: await preview.file.body(),
    };
  },
};

async function show(request: ItemRequest): Promise<HttpResponse> {
  const photo = await requirePhoto(request);
  return form(request, photo, { described: photo });
}

function form(request: ItemRequest, photo: MemberPhoto, typed: Typed): Promise<HttpResponse> {
  const { context, id, query, texts, formOwner: owner } = request;
  const { album_id, title, url, file } = photo;
  const name = shownName(title) || texts.say('photo.untitled');
  const action = paths.photo(id);
  const content = html`<header><p class="small"><a href="${paths.album(album_id)}">${texts.say('album.back')}</a></p>
<h1 dir="auto">${name}</h1></header>
${query.has('saved') && notice('good', texts.say('photo.saved'))}
${
  file === null
    ? html`<p><a href="${url}">${texts.say('photo.elsewhere')}</a></p>`
    : html`<img class="whole" src="${url}" alt="${name}">`
}
<form class="card fields" method="post" action="${action}">${context.forms.field({ owner, action })}
${describedFields(texts, 'photo', typed)}
<div class="actions"><button>${texts.say('save')}</button></div></form>
${revokeButton(request, {
  action: paths.deletePhoto(id),
  fields: {},
  open: texts.say('photo.delete'),
  of: name,
  warning: texts.say('photo.warning'),
  confirm: texts.say('deleteNow'),
})}`;
  return accountPage(request, {
    status: typed.problem === undefined ? 200 : 400,
    title: name,
    current: paths.albums,
    content,
    script: holdScript,
  });
}
