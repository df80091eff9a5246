import { html } from 'hono/html';
import { albumPhotos, type OwnAlbum, type OwnPhoto } from '../../store/photos.ts';
import type { Html } from '../layout.ts';
import { accountPage } from '../shell.ts';
import type { Desk, MemberVisit } from '../visit.ts';
import { requireAlbum } from './album-forms.ts';
import { paths } from './paths.ts';
import type { PageOf } from './photo-pages.ts';
import { uploadScript } from './upload-script.ts';
import { levelTag } from './visibility.ts';

const photosOfPage = 60;

/** One album: its photos, and the way to add more. */
export function albumPage(desk: Desk): PageOf {
  return {
    async get(visit, id) {
      const album = await requireAlbum(desk, visit, id);
      const pages = Math.max(1, Math.ceil(album.photos / photosOfPage));
      const page = Math.min(pages, Math.max(1, Math.floor(Number(visit.query.get('page'))) || 1));
      const from = (page - 1) * photosOfPage;
      const photos = await albumPhotos(desk.db, { albumId: id, from, count: photosOfPage });
      const title = album.title || 'Untitled album';
      const content = html`<header><p class="small"><a href="${paths.albums}">All albums</a></p>
<h1 dir="auto">${title}</h1>
<p class="lead">${album.photos === 1 ? '1 photo' : `${album.photos} photos`} ${levelTag(album.level)}</p>
${album.description !== '' && html`<p class="said" dir="auto">${album.description}</p>`}</header>
${notice(visit)}
${addPhotos(desk, visit, album)}
${
  photos.length === 0
    ? html`<div class="empty"><h2>No photos yet</h2><p class="muted">Add the first ones above.</p></div>`
    : html`<ul class="pictures">${photos.map(thumbnail)}</ul>`
}
${pages > 1 && pageLinks(id, { page, pages })}
<div class="actions"><a class="button quiet" href="${paths.editAlbum(id)}">Edit or delete album</a></div>`;
      return accountPage(desk, visit, {
        title,
        current: paths.albums,
        content,
        width: 'wide',
        script: uploadScript,
        connects: true,
      });
    },
  };
}

function notice({ query }: MemberVisit): Html | undefined {
  const added = Number(query.get('added') ?? Number.NaN);
  const text = Number.isInteger(added)
    ? added === 1
      ? 'The photo is in the album.'
      : `${added} photos are in the album.`
    : query.has('saved')
      ? 'The album is saved.'
      : query.has('deleted')
        ? 'The photo is deleted.'
        : undefined;
  return text === undefined ? undefined : html`<div class="notice good" role="status"><p>${text}</p></div>`;
}

function addPhotos({ forms }: Desk, { visitor, settings }: MemberVisit, { id }: OwnAlbum): Html {
  const action = paths.upload(id);
  return html`<section class="card" aria-labelledby="add"><header><h2 id="add">Add photos</h2>
<p id="add-note" class="muted small">JPEG, PNG, WebP or GIF, at most ${settings.photoMegabytes} MB each. Where and how a photo was taken is removed from it.</p></header>
<form class="fields" id="upload" method="post" action="${action}" enctype="multipart/form-data" data-most="${settings.photoMegabytes}" data-album="${paths.album(id)}">${forms.field({ visitor, action })}
<div class="field"><label for="files">Photos</label><input id="files" name="photos" type="file" accept="image/jpeg,image/png,image/webp,image/gif" multiple required aria-describedby="add-note"></div>
<div class="actions"><button>Add photos</button></div></form>
<p id="upload-state" role="status" hidden></p>
<ul id="upload-list" class="uploads" hidden></ul>
<div class="actions" id="upload-done" hidden><a class="button" href="${paths.album(id)}">Show the album</a></div></section>`;
}

function thumbnail({ id, title, level, file }: OwnPhoto): Html {
  const name = title || 'Untitled photo';
  const image =
    file === null
      ? html`<span class="picture">Kept elsewhere</span>`
      : html`<img class="picture" src="${paths.preview(id)}" alt="" loading="lazy">`;
  return html`<li><a href="${paths.photo(id)}">${image}<span dir="auto">${name}</span>${levelTag(level)}</a></li>`;
}

function pageLinks(id: string, { page, pages }: { readonly page: number; readonly pages: number }): Html {
  const to = (number: number, label: string) =>
    number >= 1 &&
    number <= pages &&
    html`<a class="button quiet" href="${paths.album(id)}?page=${number}">${label}</a>`;
  return html`<nav class="actions" aria-label="Pages">${to(page - 1, 'Previous')}<span class="at">Page ${page} of ${pages}</span>${to(page + 1, 'Next')}</nav>`;
}
