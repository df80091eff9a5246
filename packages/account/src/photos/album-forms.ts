import { type Html, newId } from '@gantry/service/pages';
import type { HttpResponse } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { holdScript } from '../html/hold-script.ts';
import { revokeButton } from '../html/revoke-button.ts';
import type { PageContext } from '../http/page-context.ts';
import { seeOther } from '../http/page-methods.ts';
import type { MemberRequest } from '../http/page-request.ts';
import { addAlbum, type OwnAlbum, removeAlbum, saveAlbum } from './album-rows.ts';
import type { ItemMethods } from './item-methods.ts';
import type { Described } from './owned-rows.ts';
import { paths } from './paths.ts';
import { requireAlbum } from './require-album.ts';
import { readTexts, textFields } from './text-fields.ts';
import { visibilityField } from './visibility-field.ts';

const empty: Described = { title: '', description: '', level: 1 };

export function newAlbumPage(context: PageContext): ItemMethods {
  const { db, now, random } = context;
  const show = (request: MemberRequest, described: Described, problem?: string) =>
    albumForm(context, request, {
      described,
      problem,
      title: request.texts.say('albums.new'),
      action: paths.newAlbum,
      back: paths.albums,
    });
  return {
    get: (request) => show(request, empty),
    async post(request) {
      const { member, settings, texts } = request;
      const { described, problem } = readTexts(request, { needsTitle: true });
      if (problem !== undefined) return show(request, described, problem);
      const id = newId(now(), random);
      const most = settings.albumsPerMember;
      if (await addAlbum(db, { id, memberId: member.id, ...described, most })) return seeOther(paths.album(id));
      return show(request, described, texts.say('albums.most', { count: most }));
    },
  };
}

export function editAlbumPage(context: PageContext): ItemMethods {
  const { db, random } = context;
  return {
    get: (request, id) => showAlbum(context, request, id),
    async post(request, id) {
      const album = await requireAlbum(context, request, id);
      const { described, problem } = readTexts(request, { needsTitle: true });
      if (problem !== undefined) return editForm(context, request, { album, described, problem });
      await saveAlbum(db, { id, memberId: request.member.id, ...described, random });
      return seeOther(`${paths.album(id)}?saved`);
    },
  };
}

export function deleteAlbum(context: PageContext): ItemMethods {
  return {
    get: async (_, id) => seeOther(paths.editAlbum(id)),
    async post(request, id) {
      await requireAlbum(context, request, id);
      await context.images.removeUnused(await removeAlbum(context.db, { id, memberId: request.member.id }));
      return seeOther(`${paths.albums}?deleted`);
    },
    tooSoon: (request, id) => showAlbum(context, request, id),
  };
}

async function showAlbum(context: PageContext, request: MemberRequest, id: string): Promise<HttpResponse> {
  const album = await requireAlbum(context, request, id);
  return editForm(context, request, { album, described: album });
}

function editForm(
  context: PageContext,
  request: MemberRequest,
  { album, described, problem }: { readonly album: OwnAlbum; readonly described: Described; readonly problem?: string },
): Promise<HttpResponse> {
  const { id } = album;
  const { texts } = request;
  return albumForm(context, request, {
    described,
    problem,
    title: texts.say('albums.edit'),
    action: paths.editAlbum(id),
    back: paths.album(id),
    below: revokeButton(context, request, {
      action: paths.deleteAlbum(id),
      fields: {},
      open: texts.say('albums.delete'),
      of: described.title || texts.say('albums.untitled'),
      warning: texts.say('albums.warning'),
      confirm: texts.say('deleteNow'),
    }),
  });
}

interface AlbumForm {
  readonly described: Described;
  readonly problem: string | undefined;
  readonly title: string;
  readonly action: string;
  readonly back: string;
  readonly below?: Html;
}

function albumForm(
  context: PageContext,
  request: MemberRequest,
  { described, problem, title, action, back, below }: AlbumForm,
): Promise<HttpResponse> {
  const { texts, formOwner: owner } = request;
  const content = html`<header><h1>${title}</h1></header>
<form class="card fields" method="post" action="${action}">${context.forms.field({ owner, action })}
${textFields(texts, described, { needsTitle: true, problem })}
${visibilityField(texts, { of: 'album', chosen: described.level })}
<div class="actions"><button>${texts.say('save')}</button><a class="button quiet" href="${back}">${texts.say('cancel')}</a></div></form>
${below}`;
  return accountPage(context, request, {
    status: problem === undefined ? 200 : 400,
    title: problem === undefined ? title : texts.say('tryAgain', { title }),
    current: paths.albums,
    content,
    ...(below && { script: holdScript }),
  });
}
