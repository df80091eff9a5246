import {
  type LevelIndex,
  listAlbums,
  listPhotos,
  type MemberAlbum,
  type MemberPhoto,
  readSpace,
  type Space,
} from '@gantry/service/account';
import { shownName } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { list, name, notice } from '../html/blocks.ts';
import type { Html } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';
import type { PageMethods } from '../request/page-methods.ts';
import type { ItemRequest, MemberRequest, PageRequest } from '../request/page-request.ts';
import { paths } from './paths.ts';
import { requireAlbum } from './require-item.ts';
import { uploadForm, uploadScript } from './upload-form.ts';

const albumsOfPage = 50;
const photosOfPage = 60;

export const albumsPage: PageMethods<MemberRequest> = {
  async get(request) {
    const { context, member, settings, texts } = request;
    const space = await readSpace(context, member.id);
    const { from, ...place } = placeOf(request, { of: space.albums, onEach: albumsOfPage });
    const albums = await listAlbums(context, { memberId: member.id, from, count: albumsOfPage });
    const title = texts.say('nav.photos');
    const content = html`<header><h1>${title}</h1>
<p class="lead">${texts.rich('albums.lead', { site: name(settings.name) })}</p></header>
${request.query.has('deleted') && notice('good', texts.say('albums.deleted'))}
<div class="actions"><a class="button" href="${paths.newAlbum}">${texts.say('albums.new')}</a></div>
${list(texts, { of: 'albums', kind: 'pictures', items: albums.map((album) => cover(texts, album)) })}
${pageLinks(request, { ...place, address: paths.albums })}
<p class="muted small">${used(request, space)}</p>`;
    return accountPage(request, { title, current: paths.albums, content, width: 'wide' });
  },
};

function cover(texts: Texts, { id, title, level, photos, cover_id }: MemberAlbum): Html {
  const image = cover_id === null ? html`<span class="picture"></span>` : picture(cover_id);
  return html`<li><a href="${paths.album(id)}">${image}<b dir="auto">${shownName(title) || texts.say('albums.untitled')}</b>
<span class="muted small">${texts.count('album.photos', photos)} ${levelTag(texts, level)}</span></a></li>`;
}

function used({ texts, settings }: PageRequest, { albums, bytes }: Space): string {
  const digits = bytes < 10 * 2 ** 20 ? 1 : 0;
  return texts.say('albums.used', {
    albums,
    mostAlbums: settings.albumsPerMember,
    megabytes: texts.number(bytes / 2 ** 20, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    mostMegabytes: settings.memberMegabytes,
  });
}

/** Shows one album: its photos, and the form that adds more. */
export const albumPage: PageMethods<ItemRequest> = {
  async get(request) {
    const { context, id, texts } = request;
    const album = await requireAlbum(request);
    const { from, ...place } = placeOf(request, { of: album.photos, onEach: photosOfPage });
    const photos = await listPhotos(context, { albumId: id, from, count: photosOfPage });
    const title = shownName(album.title) || texts.say('albums.untitled');
    const content = html`<header><p class="small"><a href="${paths.albums}">${texts.say('album.all')}</a></p>
<h1 dir="auto">${title}</h1>
<p class="lead">${texts.count('album.photos', album.photos)} ${levelTag(texts, album.level)}</p>
${album.description !== '' && html`<p class="said" dir="auto">${album.description}</p>`}</header>
${result(request)}
${uploadForm(request)}
${list(texts, { of: 'album', kind: 'pictures', items: photos.map((photo) => thumbnail(texts, photo)) })}
${pageLinks(request, { ...place, address: paths.album(id) })}
<div class="actions"><a class="button quiet" href="${paths.editAlbum(id)}">${texts.say('album.editOrDelete')}</a></div>`;
    return accountPage(request, {
      title,
      current: paths.albums,
      content,
      width: 'wide',
      script: uploadScript,
      connects: true,
    });
  },
};

/** Renders the result of the form that led back to the album. */
function result({ query, texts }: MemberRequest): Html | undefined {
  const added = Number(query.get('added') ?? Number.NaN);
  if (Number.isInteger(added)) return notice('good', texts.count('album.added', added));
  if (query.has('saved')) return notice('good', texts.say('album.saved'));
  return query.has('deleted') ? notice('good', texts.say('album.photoDeleted')) : undefined;
}

function thumbnail(texts: Texts, { id, title, level, file }: MemberPhoto): Html {
  const image = file === null ? html`<span class="picture">${texts.say('photo.elsewhere')}</span>` : picture(id);
  return html`<li><a href="${paths.photo(id)}">${image}<span dir="auto">${shownName(title) || texts.say('photo.untitled')}</span>${levelTag(texts, level)}</a></li>`;
}

function picture(photoId: string): Html {
  return html`<img class="picture" src="${paths.preview(photoId)}" alt="" loading="lazy">`;
}

/** Renders a tag on things that only some members see. */
function levelTag(texts: Texts, level: LevelIndex): Html | undefined {
  if (level === 0) return undefined;
  return html`<span class="tag">${texts.say(level === 1 ? 'level.album.friends' : 'level.private')}</span>`;
}

interface Place {
  readonly page: number;
  readonly pages: number;
  /** Rows before the page. */
  readonly from: number;
}

/** Returns the page that the query names, or the nearest one that there is. */
function placeOf({ query }: PageRequest, { of, onEach }: { readonly of: number; readonly onEach: number }): Place {
  const pages = Math.max(1, Math.ceil(of / onEach));
  const page = Math.min(pages, Math.max(1, Math.floor(Number(query.get('page'))) || 1));
  return { page, pages, from: (page - 1) * onEach };
}

/** Renders links to the pages beside this one; nothing if it is the only one. */
function pageLinks(
  { texts }: PageRequest,
  { page, pages, address }: Omit<Place, 'from'> & { readonly address: string },
): Html | undefined {
  if (pages === 1) return undefined;
  const to = (number: number, label: string) =>
    number >= 1 && number <= pages && html`<a class="button quiet" href="${address}?page=${number}">${label}</a>`;
  return html`<nav class="actions" aria-label="${texts.say('album.pages')}">${to(page - 1, texts.say('album.previous'))}<span class="at">${texts.say('album.page', { page, pages })}</span>${to(page + 1, texts.say('album.next'))}</nav>`;
}
