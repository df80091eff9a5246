import { SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import type { Answer } from '../../exchange.ts';
import { type OwnPhoto, ownPhoto, removePhoto, savePhoto } from '../../store/photos.ts';
import { revokeButton } from '../confirm.ts';
import { holdScript } from '../held-forms.ts';
import { accountPage } from '../shell.ts';
import { type Desk, type MemberVisit, seeOther } from '../visit.ts';
import { paths } from './paths.ts';
import type { PageOf } from './photo-pages.ts';
import { readTexts, type Texts, textFields } from './texts.ts';
import { photoLevels, visibilityField } from './visibility.ts';

/** One photo, with its caption and who may see it. */
export function photoPage(desk: Desk): PageOf {
  const { db, now, random } = desk;
  return {
    async get(visit, id) {
      const photo = await requirePhoto(desk, visit, id);
      return show(desk, visit, { photo, texts: photo });
    },
    async post(visit, id) {
      const photo = await requirePhoto(desk, visit, id);
      const { texts, problem } = readTexts(visit.form, { needsTitle: false });
      if (problem !== undefined) return show(desk, visit, { photo, texts, problem });
      await savePhoto(db, { id, memberId: visit.member.id, ...texts, nowMs: now(), random });
      return seeOther(`${paths.photo(id)}?saved`);
    },
  };
}

export function deletePhoto(desk: Desk): PageOf {
  return {
    get: async (_, id) => seeOther(paths.photo(id)),
    async post(visit, id) {
      const { album_id } = await requirePhoto(desk, visit, id);
      await desk.images.removeUnused(await removePhoto(desk.db, { id, memberId: visit.member.id }));
      return seeOther(`${paths.album(album_id)}?deleted`);
    },
    async again(visit, id) {
      const photo = await requirePhoto(desk, visit, id);
      return show(desk, visit, { photo, texts: photo });
    },
  };
}

/** @throws SocialError NOT_FOUND for what is no photo, and for another member's. */
async function requirePhoto({ db }: Desk, { member }: MemberVisit, id: string): Promise<OwnPhoto> {
  const photo = await ownPhoto(db, { id, memberId: member.id });
  if (!photo) throw new SocialError('NOT_FOUND', 'You have no such photo.');
  return photo;
}

function show(
  desk: Desk,
  visit: MemberVisit,
  { photo, texts, problem }: { readonly photo: OwnPhoto; readonly texts: Texts; readonly problem?: string },
): Promise<Answer> {
  const { id, album_id, title, url, file } = photo;
  const name = title || 'Untitled photo';
  const action = paths.photo(id);
  const content = html`<header><p class="small"><a href="${paths.album(album_id)}">Back to the album</a></p>
<h1 dir="auto">${name}</h1></header>
${visit.query.has('saved') && html`<div class="notice good" role="status"><p>The photo is saved.</p></div>`}
${
  file === null
    ? html`<p><a href="${url}">This photo is kept elsewhere.</a></p>`
    : html`<img class="whole" src="${url}" alt="${name}">`
}
<form class="card fields" method="post" action="${action}">${desk.forms.field({ visitor: visit.visitor, action })}
${textFields(texts, { needsTitle: false, problem })}
${visibilityField(photoLevels, texts.level)}
<div class="actions"><button>Save</button></div></form>
${revokeButton(desk, visit, {
  action: paths.deletePhoto(id),
  fields: {},
  open: 'Delete photo',
  of: name,
  warning: 'It is gone from every page that shows it. There is no way back.',
  confirm: 'Delete it now',
})}`;
  return accountPage(desk, visit, {
    status: problem === undefined ? 200 : 400,
    title: name,
    current: paths.albums,
    content,
    script: holdScript,
  });
}
