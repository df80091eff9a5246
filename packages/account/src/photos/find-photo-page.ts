import { isId, SocialError } from '@gantry/wire';
import { membersOnly } from '../html/account-page.ts';
import { type Handle, mapMethods, type PageMethods } from '../request/page-methods.ts';
import type { ItemRequest, MemberRequest } from '../request/page-request.ts';
import { deleteAlbum, editAlbumPage, newAlbumPage } from './album-forms.ts';
import { albumPage, albumsPage } from './album-pages.ts';
import { deletePhoto, photoPage, preview } from './photo-page.ts';
import { uploads } from './uploads.ts';

const fixed: Readonly<Record<string, PageMethods<ItemRequest>>> = { '': albumsPage, '/new-album': newAlbumPage };
const ofItem: Readonly<Record<string, PageMethods<ItemRequest>>> = {
  album: albumPage,
  'album/edit': editAlbumPage,
  'album/delete': deleteAlbum,
  'album/upload': uploads,
  photo: photoPage,
  'photo/delete': deletePhoto,
  'photo/preview': preview,
};

/** Pages below `/account/photos` by the template of their path. */
export const photoPages: readonly (readonly [path: string, PageMethods])[] = [
  ...Object.entries(fixed).map(([path, page]) => [`/account/photos${path}`, withAlbums(page, '')] as const),
  ...Object.entries(ofItem).map(([name, page]) => {
    const [kind, ...more] = name.split('/');
    return [['/account/photos', kind, '{id}', ...more].join('/'), withAlbums(page, '')] as const;
  }),
];

export function findPhotoPage(path: string): PageMethods | undefined {
  const rest = /^\/account\/photos(\/.*)?$/.exec(path);
  if (!rest) return undefined;
  const whole = fixed[rest[1] ?? ''];
  if (whole) return withAlbums(whole, '');
  const [, kind = '', id = '', more = ''] = /^\/(album|photo)\/([^/]+)(\/[a-z]+)?$/.exec(rest[1] ?? '') ?? [];
  const item = isId(id) ? ofItem[kind + more] : undefined;
  return item && withAlbums(item, id);
}

function withAlbums(page: PageMethods<ItemRequest>, id: string): PageMethods {
  const ofMember = mapMethods<ItemRequest, MemberRequest>(page, (handle) => (request) => handle({ ...request, id }));
  return mapMethods(membersOnly(ofMember), requireAlbums);
}

function requireAlbums(handle: Handle): Handle {
  return (request) => {
    if (request.settings.albums) return handle(request);
    throw new SocialError('NOT_IMPLEMENTED', request.texts.say('albums.off'));
  };
}
