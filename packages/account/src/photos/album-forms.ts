import { addAlbum, removeAlbum, saveAlbum } from '@gantry/service/account';
import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { holdScript } from '../html/hold-script.ts';
import { revokeButton } from '../html/revoke-button.ts';
import type { Html } from '../messages/html.ts';
import { type PageMethods, seeOther } from '../request/page-methods.ts';
import type { ItemRequest, MemberRequest } from '../request/page-request.ts';
import { describedFields, readDescribed, type Typed } from './described-fields.ts';
import { paths } from './paths.ts';
import { requireAlbum } from './require-item.ts';

export const newAlbumPage: PageMethods<MemberRequest> = {
  get: (request) => newForm(request, { described: { title: '', description: '', level: 1 } }),
  async post(request) {
    const { context, member, settings, texts } = request;
    const typed = readDescribed(request, 'album');
    if (typed.problem !== undefined) return newForm(request, typed);
    const most = settings.albumsPerMember;
    const id = await addAlbum(context, { memberId: member.id, ...typed.described, most });
    if (id !== undefined) return seeOther(paths.album(id));
    return newForm(request, { ...typed, problem: texts.say('albums.most', { count: most }) });
  },
};

export const editAlbumPage: PageMethods<ItemRequest> = {
  get: show,
  async post(request) {
    const { context, id, member } = request;
    await requireAlbum(request);
    const typed = readDescribed(request, 'album');
    if (typed.problem !== undefined) return editForm(request, typed);
    await saveAlbum(context, { id, memberId: member.id, ...typed.described });
    return seeOther(`${paths.album(id)}?saved`);
  },
};

export const deleteAlbum: PageMethods<ItemRequest> = {
  get: async ({ id }) => seeOther(paths.editAlbum(id)),
  async post(request) {
    const { context, id, member } = request;
    await requireAlbum(request);
    await removeAlbum(context, { id, memberId: member.id });
    return seeOther(`${paths.albums}?deleted`);
  },
  tooSoon: show,
};

async function show(request: ItemRequest): Promise<HttpResponse> {
  return editForm(request, { described: await requireAlbum(request) });
}

function newForm(request: MemberRequest, typed: Typed): Promise<HttpResponse> {
  const title = request.texts.say('albums.new');
  return albumForm(request, typed, { title, action: paths.newAlbum, back: paths.albums });
}

function editForm(request: ItemRequest, typed: Typed): Promise<HttpResponse> {
  const { id, texts } = request;
  return albumForm(request, typed, {
    title: texts.say('albums.edit'),
    action: paths.editAlbum(id),
    back: paths.album(id),
    below: revokeButton(request, {
      action: paths.deleteAlbum(id),
      fields: {},
      open: texts.say('albums.delete'),
      of: typed.described.title || texts.say('albums.untitled'),
      warning: texts.say('albums.warning'),
      confirm: texts.say('deleteNow'),
    }),
  });
}

function albumForm(
  request: MemberRequest,
  typed: Typed,
  { title, action, back, below }: { title: string; action: string; back: string; below?: Html },
): Promise<HttpResponse> {
  const { context, texts, formOwner: owner } = request;
  const content = html`<header><h1>${title}</h1></header>
<form class="card fields" method="post" action="${action}">${context.forms.field({ owner, action })}
${describedFields(texts, 'album', typed)}
<div class="actions"><button>${texts.say('save')}</button><a class="button quiet" href="${back}">${texts.say('cancel')}</a></div></form>
${below}`;
  return accountPage(request, {
    status: typed.problem === undefined ? 200 : 400,
    title: typed.problem === undefined ? title : texts.say('tryAgain', { title }),
    current: paths.albums,
    content,
    ...(below && { script: holdScript }),
  });
}
