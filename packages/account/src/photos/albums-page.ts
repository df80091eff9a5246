import type { Html } from '@gantry/service/pages';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { name } from '../html/name.ts';
import type { PageContext } from '../http/page-context.ts';
import type { PageRequest } from '../http/page-request.ts';
import type { Texts } from '../messages/texts.ts';
import { type OwnAlbum, ownAlbums } from './album-rows.ts';
import type { ItemMethods } from './item-methods.ts';
import { type Space, spaceOf } from './owned-rows.ts';
import { paths } from './paths.ts';
import { levelTag } from './visibility-field.ts';

/** Makes the page that lists all albums of the member. */
export function albumsPage(context: PageContext): ItemMethods {
  return {
    async get(request) {
      const { member, settings, texts } = request;
      const [albums, space] = await Promise.all([ownAlbums(context.db, member.id), spaceOf(context.db, member.id)]);
      const title = texts.say('nav.photos');
      const content = html`<header><h1>${title}</h1>
<p class="lead">${texts.rich('albums.lead', { site: name(settings.name) })}</p></header>
${
  request.query.has('deleted') &&
  html`<div class="notice good" role="status"><p>${texts.say('albums.deleted')}</p></div>`
}
<div class="actions"><a class="button" href="${paths.newAlbum}">${texts.say('albums.new')}</a></div>
${
  albums.length === 0
    ? html`<div class="empty"><h2>${texts.say('albums.none')}</h2><p class="muted">${texts.say('albums.noneText')}</p></div>`
    : html`<ul class="pictures">${albums.map((album) => cover(texts, album))}</ul>`
}
<p class="muted small">${used(request, space)}</p>`;
      return accountPage(context, request, { title, current: paths.albums, content, width: 'wide' });
    },
  };
}

function cover(texts: Texts, { id, title, level, photos, cover_id }: OwnAlbum): Html {
  const image =
    cover_id === null
      ? html`<span class="picture"></span>`
      : html`<img class="picture" src="${paths.preview(cover_id)}" alt="" loading="lazy">`;
  return html`<li><a href="${paths.album(id)}">${image}<b dir="auto">${title || texts.say('albums.untitled')}</b>
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
