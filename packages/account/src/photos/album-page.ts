import type { Html } from '@gantry/service/pages';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import type { PageContext } from '../http/page-context.ts';
import type { MemberRequest } from '../http/page-request.ts';
import type { Texts } from '../messages/texts.ts';
import type { OwnAlbum } from './album-rows.ts';
import type { ItemMethods } from './item-methods.ts';
import { paths } from './paths.ts';
import { albumPhotos, type OwnPhoto } from './photo-rows.ts';
import { requireAlbum } from './require-album.ts';
import { uploadForm, uploadScript } from './upload-form.ts';
import { levelTag } from './visibility-field.ts';

const photosOfPage = 60;

/** Makes the page of one album: its photos, and the form that adds more. */
export function albumPage(context: PageContext): ItemMethods {
  return {
    async get(request, id) {
      const { texts } = request;
      const album = await requireAlbum(context, request, id);
      const pages = Math.max(1, Math.ceil(album.photos / photosOfPage));
      const page = Math.min(pages, Math.max(1, Math.floor(Number(request.query.get('page'))) || 1));
      const from = (page - 1) * photosOfPage;
      const photos = await albumPhotos(context.db, { albumId: id, from, count: photosOfPage });
      const title = album.title || texts.say('albums.untitled');
      const content = html`<header><p class="small"><a href="${paths.albums}">${texts.say('album.all')}</a></p>
<h1 dir="auto">${title}</h1>
<p class="lead">${texts.count('album.photos', album.photos)} ${levelTag(texts, album.level)}</p>
${album.description !== '' && html`<p class="said" dir="auto">${album.description}</p>`}</header>
${notice(request)}
${uploadForm(context, request, album)}
${
  photos.length === 0
    ? html`<div class="empty"><h2>${texts.say('album.none')}</h2><p class="muted">${texts.say('album.noneText')}</p></div>`
    : html`<ul class="pictures">${photos.map((photo) => thumbnail(texts, photo))}</ul>`
}
${pages > 1 && pageLinks(texts, album, { page, pages })}
<div class="actions"><a class="button quiet" href="${paths.editAlbum(id)}">${texts.say('album.editOrDelete')}</a></div>`;
      return accountPage(context, request, {
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

function notice({ query, texts }: MemberRequest): Html | undefined {
  const added = Number(query.get('added') ?? Number.NaN);
  const text = Number.isInteger(added)
    ? texts.count('album.added', added)
    : query.has('saved')
      ? texts.say('album.saved')
      : query.has('deleted')
        ? texts.say('album.photoDeleted')
        : undefined;
  return text === undefined ? undefined : html`<div class="notice good" role="status"><p>${text}</p></div>`;
}

function thumbnail(texts: Texts, { id, title, level, file }: OwnPhoto): Html {
  const image =
    file === null
      ? html`<span class="picture">${texts.say('photo.elsewhere')}</span>`
      : html`<img class="picture" src="${paths.preview(id)}" alt="" loading="lazy">`;
  return html`<li><a href="${paths.photo(id)}">${image}<span dir="auto">${title || texts.say('photo.untitled')}</span>${levelTag(texts, level)}</a></li>`;
}

function pageLinks(
  texts: Texts,
  { id }: OwnAlbum,
  { page, pages }: { readonly page: number; readonly pages: number },
): Html {
  const to = (number: number, label: string) =>
    number >= 1 &&
    number <= pages &&
    html`<a class="button quiet" href="${paths.album(id)}?page=${number}">${label}</a>`;
  return html`<nav class="actions" aria-label="${texts.say('album.pages')}">${to(page - 1, texts.say('album.previous'))}<span class="at">${texts.say('album.page', { page, pages })}</span>${to(page + 1, texts.say('album.next'))}</nav>`;
}
