import { html } from 'hono/html';
import { type OwnAlbum, ownAlbums, type Space, spaceOf } from '../../store/photos.ts';
import type { Html } from '../layout.ts';
import { accountPage } from '../shell.ts';
import type { Desk } from '../visit.ts';
import { paths } from './paths.ts';
import type { PageOf } from './photo-pages.ts';
import { levelTag } from './visibility.ts';

/** All albums of the member. */
export function albumsPage(desk: Desk): PageOf {
  return {
    async get(visit) {
      const { member, settings } = visit;
      const [albums, space] = await Promise.all([ownAlbums(desk.db, member.id), spaceOf(desk.db, member.id)]);
      const content = html`<header><h1>Photos</h1>
<p class="lead">Your albums on <bdi>${settings.name}</bdi>. Apps show them to whoever may see them.</p></header>
${
  visit.query.has('deleted') &&
  html`<div class="notice good" role="status"><p>The album is deleted, and its photos with it.</p></div>`
}
<div class="actions"><a class="button" href="${paths.newAlbum}">New album</a></div>
${
  albums.length === 0
    ? html`<div class="empty"><h2>No albums yet</h2><p class="muted">Make one, then add photos to it.</p></div>`
    : html`<ul class="pictures">${albums.map(cover)}</ul>`
}
<p class="muted small">${used(space, settings)}</p>`;
      return accountPage(desk, visit, { title: 'Photos', current: paths.albums, content, width: 'wide' });
    },
  };
}

function cover({ id, title, level, photos, cover_id }: OwnAlbum): Html {
  const image =
    cover_id === null
      ? html`<span class="picture"></span>`
      : html`<img class="picture" src="${paths.preview(cover_id)}" alt="" loading="lazy">`;
  return html`<li><a href="${paths.album(id)}">${image}<b dir="auto">${title || 'Untitled album'}</b>
<span class="muted small">${photos === 1 ? '1 photo' : `${photos} photos`} ${levelTag(level)}</span></a></li>`;
}

function used(
  { albums, bytes }: Space,
  { albumsPerMember, memberMegabytes }: { readonly albumsPerMember: number; readonly memberMegabytes: number },
): string {
  const megabytes = (bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0);
  return `${albums} of ${albumsPerMember} albums, ${megabytes} of ${memberMegabytes} MB used.`;
}
