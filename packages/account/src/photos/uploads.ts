import { newId, type StoredImage } from '@gantry/service/pages';
import { type HttpResponse, SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import { accountPage } from '../html/account-page.ts';
import { failureText } from '../html/failure.ts';
import { name as nameOf } from '../html/name.ts';
import type { PageContext } from '../http/page-context.ts';
import { seeOther } from '../http/page-methods.ts';
import type { MemberRequest } from '../http/page-request.ts';
import { captionFrom } from './caption.ts';
import type { ItemMethods } from './item-methods.ts';
import { spaceOf } from './owned-rows.ts';
import { paths } from './paths.ts';
import { addPhoto } from './photo-rows.ts';
import { requireAlbum } from './require-album.ts';

const mib = 2 ** 20;

/** Takes photos into an album: one as the body of PUT, or several in a form. */
export function uploads(context: PageContext): ItemMethods {
  const { db, images, now, random } = context;

  async function add(
    request: MemberRequest,
    { albumId, name, source }: { albumId: string; name: string; source: AsyncIterable<Uint8Array> },
  ): Promise<string> {
    const { member, settings } = request;
    const id = newId(now(), random);
    const most = { photos: settings.photosPerAlbum, bytes: settings.memberMegabytes * mib };
    const use = async (image: StoredImage) => {
      const title = captionFrom(name);
      const photo = { id, memberId: member.id, albumId, title, image, nowMs: now(), most, random };
      if (await addPhoto(db, photo)) return;
      // If no limit is reached yet, the photo is too large for the space that is left.
      throw (await limitReached(request, albumId)) ?? outOfSpace(request);
    };
    await images.store(source, { maxBytes: settings.photoMegabytes * mib, use });
    return id;
  }

  async function limitReached(request: MemberRequest, albumId: string): Promise<SocialError | undefined> {
    const { member, settings, texts } = request;
    const { photos } = await requireAlbum(context, request, albumId);
    if (photos >= settings.photosPerAlbum) {
      return new SocialError('FORBIDDEN', texts.say('album.full', { count: settings.photosPerAlbum }));
    }
    const { bytes } = await spaceOf(db, member.id);
    return bytes >= settings.memberMegabytes * mib ? outOfSpace(request) : undefined;
  }

  async function requireRoom(request: MemberRequest, albumId: string): Promise<void> {
    const problem = await limitReached(request, albumId);
    if (problem) throw problem;
  }

  return {
    takesFiles: true,
    get: async (_, id) => seeOther(paths.album(id)),
    async put(request, albumId) {
      const { http, settings, query, texts } = request;
      if (Number(http.headers.get('content-length') ?? 0) > settings.photoMegabytes * mib) {
        throw new SocialError('TOO_LARGE', texts.say('image_too_large', { megabytes: settings.photoMegabytes }));
      }
      await requireRoom(request, albumId);
      const id = await add(request, { albumId, name: query.get('name') ?? '', source: bodyOf(http) });
      return {
        status: 201,
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
        body: JSON.stringify({ entry: { id } }),
      };
    },
    async post(request, albumId) {
      await requireRoom(request, albumId);
      const problems: Problem[] = [];
      for (const file of request.files) {
        try {
          await add(request, { albumId, name: file.name, source: file.stream() });
        } catch (error) {
          if (!(error instanceof SocialError) || error.status >= 500) throw error;
          problems.push({ name: file.name, message: failureText(error, request) });
        }
      }
      const added = request.files.length - problems.length;
      if (added > 0 && problems.length === 0) return seeOther(`${paths.album(albumId)}?added=${added}`);
      return incompletePage(context, request, { albumId, added, problems });
    },
  };
}

// Without preventCancel the runtime would close the connection before the answer is sent.
async function* bodyOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body) yield* body.values({ preventCancel: true });
}

function outOfSpace({ settings, texts }: MemberRequest): SocialError {
  return new SocialError('FORBIDDEN', texts.say('upload.noRoom', { megabytes: settings.memberMegabytes }));
}

interface Problem {
  readonly name: string;
  readonly message: string;
}

function incompletePage(
  context: PageContext,
  request: MemberRequest,
  { albumId, added, problems }: { albumId: string; added: number; problems: readonly Problem[] },
): Promise<HttpResponse> {
  const { texts } = request;
  const content = html`<div class="card"><h1>${texts.say(added === 0 ? 'upload.noneAdded' : 'upload.notAll')}</h1>
${
  problems.length === 0
    ? html`<p class="lead">${texts.say('upload.chooseFirst')}</p>`
    : html`<ul class="uploads">${problems.map(
        ({ name, message }) => html`<li>${nameOf(name)}<span class="wrong">${message}</span></li>`,
      )}</ul>`
}
<div class="actions"><a class="button" href="${paths.album(albumId)}">${texts.say('album.back')}</a></div></div>`;
  return accountPage(context, request, {
    status: 400,
    title: texts.say('upload.notAll'),
    current: paths.albums,
    content,
    width: 'narrow',
  });
}
