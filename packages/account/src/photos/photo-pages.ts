import { type HttpResponse, isId, SocialError } from '@gantry/wire';
import { membersOnly } from '../html/members-only.ts';
import type { PageContext } from '../http/page-context.ts';
import { mapMethods, type PageMethods } from '../http/page-methods.ts';
import type { PageRequest } from '../http/page-request.ts';
import { deleteAlbum, editAlbumPage, newAlbumPage } from './album-forms.ts';
import { albumPage } from './album-page.ts';
import { albumsPage } from './albums-page.ts';
import type { ItemMethods } from './item-methods.ts';
import { deletePhoto, photoPage } from './photo-page.ts';
import { preview } from './preview.ts';
import { uploads } from './uploads.ts';

/** Makes the function that finds the page of a path below `/account/photos`. */
export function photoPages(context: PageContext): (path: string) => PageMethods | undefined {
  const fixed: Readonly<Record<string, ItemMethods>> = { '': albumsPage(context), '/new-album': newAlbumPage(context) };
  const ofItem: Readonly<Record<string, ItemMethods>> = {
    album: albumPage(context),
    'album/edit': editAlbumPage(context),
    'album/delete': deleteAlbum(context),
    'album/upload': uploads(context),
    photo: photoPage(context),
    'photo/delete': deletePhoto(context),
    'photo/preview': preview(context),
  };

  return (path) => {
    const rest = /^\/account\/photos(\/.*)?$/.exec(path);
    if (!rest) return undefined;
    const whole = fixed[rest[1] ?? ''];
    if (whole) return methodsOf(context, whole, '');
    const [, kind = '', id = '', more = ''] = /^\/(album|photo)\/([^/]+)(\/[a-z]+)?$/.exec(rest[1] ?? '') ?? [];
    const item = isId(id) ? ofItem[kind + more] : undefined;
    return item && methodsOf(context, item, id);
  };
}

function methodsOf(context: PageContext, { get, post, tooSoon, put, ...rest }: ItemMethods, id: string): PageMethods {
  const methods = membersOnly(context, {
    ...rest,
    ...(get && { get: (request) => get(request, id) }),
    ...(post && { post: (request) => post(request, id) }),
    ...(tooSoon && { tooSoon: (request) => tooSoon(request, id) }),
    ...(put && { put: (request) => put(request, id) }),
  });
  return mapMethods(methods, requireAlbums);
}

function requireAlbums(handle: (request: PageRequest) => Promise<HttpResponse>) {
  return (request: PageRequest): Promise<HttpResponse> => {
    if (request.settings.albums) return handle(request);
    throw new SocialError('NOT_IMPLEMENTED', request.texts.say('albums.off'));
  };
}
