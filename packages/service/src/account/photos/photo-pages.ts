import { isId, SocialError } from '@gantry/wire';
import type { Answer } from '../../exchange.ts';
import { asMember } from '../pages/as-member.ts';
import type { Desk, MemberVisit, Methods, Visit } from '../visit.ts';
import { deleteAlbum, editAlbumPage, newAlbumPage } from './album-forms.ts';
import { albumPage } from './album-page.ts';
import { albumsPage } from './albums-page.ts';
import { deletePhoto, photoPage } from './photo-page.ts';
import { preview } from './preview.ts';
import { uploads } from './uploads.ts';

type Verb = 'get' | 'post' | 'again' | 'put';
/** A page of one album or photo of the member's own. */
export type PageOf = Omit<Methods, Verb> & {
  readonly [Name in Verb]?: (visit: MemberVisit, id: string) => Promise<Answer>;
};

/** Makes the function that finds the page of a path below `/account/photos`, on which members keep albums. */
export function photoPages(desk: Desk): (path: string) => Methods | undefined {
  const fixed: Readonly<Record<string, PageOf>> = { '': albumsPage(desk), '/new-album': newAlbumPage(desk) };
  const ofOne: Readonly<Record<string, PageOf>> = {
    album: albumPage(desk),
    'album/edit': editAlbumPage(desk),
    'album/delete': deleteAlbum(desk),
    'album/upload': uploads(desk),
    photo: photoPage(desk),
    'photo/delete': deletePhoto(desk),
    'photo/preview': preview(desk),
  };

  function find(path: string): { readonly page: PageOf; readonly id: string } | undefined {
    const rest = /^\/account\/photos(\/.*)?$/.exec(path);
    if (!rest) return undefined;
    const whole = fixed[rest[1] ?? ''];
    if (whole) return { page: whole, id: '' };
    const [, kind = '', id = '', more = ''] = /^\/(album|photo)\/([^/]+)(\/[a-z]+)?$/.exec(rest[1] ?? '') ?? [];
    const page = isId(id) ? ofOne[kind + more] : undefined;
    return page && { page, id };
  }

  return (path) => {
    const found = find(path);
    return found && methodsOf(desk, found);
  };
}

function methodsOf(desk: Desk, { page, id }: { readonly page: PageOf; readonly id: string }): Methods {
  const { get, post, again, put, ...rest } = page;
  const bound = (method: (visit: MemberVisit, id: string) => Promise<Answer>) => (visit: MemberVisit) =>
    method(visit, id);
  const { get: read, ...methods } = asMember(desk, {
    ...rest,
    ...(get && { get: bound(get) }),
    ...(post && { post: bound(post) }),
    ...(again && { again: bound(again) }),
    ...(put && { put: bound(put) }),
  });
  return {
    ...methods,
    ...(read && { get: whereThereAreAlbums(read) }),
    ...(methods.post && { post: whereThereAreAlbums(methods.post) }),
    ...(methods.again && { again: whereThereAreAlbums(methods.again) }),
    ...(methods.put && { put: whereThereAreAlbums(methods.put) }),
  };
}

function whereThereAreAlbums(method: (visit: Visit) => Promise<Answer>) {
  return (visit: Visit): Promise<Answer> => {
    if (visit.settings.albums) return method(visit);
    throw new SocialError('NOT_IMPLEMENTED', 'Albums are switched off on this site.');
  };
}
