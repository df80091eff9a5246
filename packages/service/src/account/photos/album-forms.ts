import { SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import type { Answer } from '../../exchange.ts';
import { newId } from '../../new-id.ts';
import { addAlbum, type OwnAlbum, ownAlbum, removeAlbum, saveAlbum } from '../../store/photos.ts';
import { revokeButton } from '../confirm.ts';
import { holdScript } from '../held-forms.ts';
import type { Html } from '../layout.ts';
import { accountPage } from '../shell.ts';
import { type Desk, type MemberVisit, seeOther } from '../visit.ts';
import { paths } from './paths.ts';
import type { PageOf } from './photo-pages.ts';
import { readTexts, type Texts, textFields } from './texts.ts';
import { albumLevels, visibilityField } from './visibility.ts';

const empty: Texts = { title: '', description: '', level: 1 };

export function newAlbumPage(desk: Desk): PageOf {
  const { db, now, random } = desk;
  const show = (visit: MemberVisit, texts: Texts, problem?: string) =>
    albumForm(desk, visit, { texts, problem, title: 'New album', action: paths.newAlbum, back: paths.albums });
  return {
    get: (visit) => show(visit, empty),
    async post(visit) {
      const { member, settings } = visit;
      const { texts, problem } = readTexts(visit.form, { needsTitle: true });
      if (problem !== undefined) return show(visit, texts, problem);
      const id = newId(now(), random);
      const most = settings.albumsPerMember;
      if (await addAlbum(db, { id, memberId: member.id, ...texts, most })) return seeOther(paths.album(id));
      return show(visit, texts, `You have ${most} albums, and there can be no more. Delete one first.`);
    },
  };
}

export function editAlbumPage(desk: Desk): PageOf {
  const { db, random } = desk;
  return {
    get: (visit, id) => showAlbum(desk, visit, id),
    async post(visit, id) {
      const album = await requireAlbum(desk, visit, id);
      const { texts, problem } = readTexts(visit.form, { needsTitle: true });
      if (problem !== undefined) return editForm(desk, visit, { album, texts, problem });
      await saveAlbum(db, { id, memberId: visit.member.id, ...texts, random });
      return seeOther(`${paths.album(id)}?saved`);
    },
  };
}

async function showAlbum(desk: Desk, visit: MemberVisit, id: string): Promise<Answer> {
  const album = await requireAlbum(desk, visit, id);
  return editForm(desk, visit, { album, texts: album });
}

function editForm(
  desk: Desk,
  visit: MemberVisit,
  { album, texts, problem }: { readonly album: OwnAlbum; readonly texts: Texts; readonly problem?: string },
): Promise<Answer> {
  const { id } = album;
  return albumForm(desk, visit, {
    texts,
    problem,
    title: 'Edit album',
    action: paths.editAlbum(id),
    back: paths.album(id),
    below: deleteButton(desk, visit, { id, title: texts.title }),
  });
}

export function deleteAlbum(desk: Desk): PageOf {
  return {
    get: async (_, id) => seeOther(paths.editAlbum(id)),
    async post(visit, id) {
      await requireAlbum(desk, visit, id);
      await desk.images.removeUnused(await removeAlbum(desk.db, { id, memberId: visit.member.id }));
      return seeOther(`${paths.albums}?deleted`);
    },
    again: (visit, id) => showAlbum(desk, visit, id),
  };
}

/** @throws SocialError NOT_FOUND for what is no album, and for another member's. */
export async function requireAlbum({ db }: Desk, { member }: MemberVisit, id: string): Promise<OwnAlbum> {
  const album = await ownAlbum(db, { id, memberId: member.id });
  if (!album) throw new SocialError('NOT_FOUND', 'You have no such album.');
  return album;
}

interface AlbumForm {
  readonly texts: Texts;
  readonly problem: string | undefined;
  readonly title: string;
  readonly action: string;
  readonly back: string;
  readonly below?: Html;
}

function albumForm(
  desk: Desk,
  visit: MemberVisit,
  { texts, problem, title, action, back, below }: AlbumForm,
): Promise<Answer> {
  const content = html`<header><h1>${title}</h1></header>
<form class="card fields" method="post" action="${action}">${desk.forms.field({ visitor: visit.visitor, action })}
${textFields(texts, { needsTitle: true, problem })}
${visibilityField(albumLevels, texts.level)}
<div class="actions"><button>Save</button><a class="button quiet" href="${back}">Cancel</a></div></form>
${below}`;
  return accountPage(desk, visit, {
    status: problem === undefined ? 200 : 400,
    title: problem === undefined ? title : `${title}: try again`,
    current: paths.albums,
    content,
    ...(below && { script: holdScript }),
  });
}

function deleteButton(
  desk: Desk,
  visit: MemberVisit,
  { id, title }: { readonly id: string; readonly title: string },
): Html {
  return revokeButton(desk, visit, {
    action: paths.deleteAlbum(id),
    fields: {},
    open: 'Delete album',
    of: title || 'Untitled album',
    warning: 'All its photos go with it. There is no way back.',
    confirm: 'Delete it now',
  });
}
