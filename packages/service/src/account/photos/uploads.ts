import { SocialError } from '@gantry/wire';
import { html } from 'hono/html';
import type { Answer } from '../../exchange.ts';
import { tooLarge } from '../../images/draft.ts';
import type { StoredImage } from '../../images/images.ts';
import { newId } from '../../new-id.ts';
import { addPhoto, spaceOf } from '../../store/photos.ts';
import { accountPage } from '../shell.ts';
import { type Desk, type MemberVisit, seeOther } from '../visit.ts';
import { requireAlbum } from './album-forms.ts';
import { paths } from './paths.ts';
import type { PageOf } from './photo-pages.ts';
import { titleOf } from './texts.ts';

const mib = 2 ** 20;

/** Whether a request's body is for `uploads`, which takes it piece by piece. */
export function isUpload({ method, rawTarget }: { readonly method: string; readonly rawTarget: string }): boolean {
  return (
    (method === 'PUT' || method === 'POST') && /^\/account\/photos\/album\/[^/?]+\/upload\/?(\?|$)/.test(rawTarget)
  );
}

/** Takes photos into an album: one as the body of PUT, or several in a form. */
export function uploads(desk: Desk): PageOf {
  const { db, images, now, random } = desk;

  async function add(
    visit: MemberVisit,
    { albumId, name, source }: { albumId: string; name: string; source: AsyncIterable<Uint8Array> },
  ): Promise<string> {
    const { member, settings } = visit;
    const id = newId(now(), random);
    const most = { photos: settings.photosPerAlbum, bytes: settings.memberMegabytes * mib };
    const use = async (image: StoredImage) => {
      const photo = { id, memberId: member.id, albumId, title: titleOf(name), image, nowMs: now(), most, random };
      if (!(await addPhoto(db, photo))) throw await refusal(visit, albumId);
    };
    await images.store(source, { maxBytes: settings.photoMegabytes * mib, use });
    return id;
  }

  /** Why a photo was not taken. What was refused was too large for what is left, where nothing else is wrong. */
  async function refusal(visit: MemberVisit, albumId: string): Promise<SocialError> {
    return (await limitReached(visit, albumId)) ?? outOfSpace(visit);
  }

  async function limitReached(visit: MemberVisit, albumId: string): Promise<SocialError | undefined> {
    const { member, settings } = visit;
    const { photos } = await requireAlbum(desk, visit, albumId);
    if (photos >= settings.photosPerAlbum) {
      return new SocialError(
        'FORBIDDEN',
        `The album is full: it has ${settings.photosPerAlbum} photos. Make another album.`,
      );
    }
    const { bytes } = await spaceOf(db, member.id);
    return bytes >= settings.memberMegabytes * mib ? outOfSpace(visit) : undefined;
  }

  async function refuseBeforehand(visit: MemberVisit, albumId: string): Promise<void> {
    const problem = await limitReached(visit, albumId);
    if (problem) throw problem;
  }

  return {
    takesFiles: true,
    get: async (_, id) => seeOther(paths.album(id)),
    async put(visit, albumId) {
      const { request, settings, query } = visit;
      const most = settings.photoMegabytes * mib;
      if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most);
      await refuseBeforehand(visit, albumId);
      const id = await add(visit, { albumId, name: query.get('name') ?? '', source: bodyOf(request) });
      return {
        status: 201,
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
        body: JSON.stringify({ entry: { id } }),
      };
    },
    async post(visit, albumId) {
      await refuseBeforehand(visit, albumId);
      const problems: Problem[] = [];
      for (const file of visit.files) {
        try {
          await add(visit, { albumId, name: file.name, source: file.stream() });
        } catch (error) {
          if (!(error instanceof SocialError) || error.status >= 500) throw error;
          problems.push({ name: file.name, message: error.message });
        }
      }
      const added = visit.files.length - problems.length;
      if (added > 0 && problems.length === 0) return seeOther(`${paths.album(albumId)}?added=${added}`);
      return notAll(desk, visit, { albumId, added, problems });
    },
  };
}

// Without preventCancel the runtime would break the connection off, and the answer with it.
async function* bodyOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body) yield* body.values({ preventCancel: true });
}

function outOfSpace({ settings }: MemberVisit): SocialError {
  return new SocialError(
    'FORBIDDEN',
    `There is no room for it: your photos together have at most ${settings.memberMegabytes} MB. Delete some first.`,
  );
}

interface Problem {
  readonly name: string;
  readonly message: string;
}

function notAll(
  desk: Desk,
  visit: MemberVisit,
  { albumId, added, problems }: { albumId: string; added: number; problems: readonly Problem[] },
): Promise<Answer> {
  const content = html`<div class="card"><h1>${added === 0 ? 'No photo was added' : 'Not all photos were added'}</h1>
${
  problems.length === 0
    ? html`<p class="lead">Choose at least one file first.</p>`
    : html`<ul class="uploads">${problems.map(
        ({ name, message }) => html`<li><bdi>${name}</bdi><span class="wrong">${message}</span></li>`,
      )}</ul>`
}
<div class="actions"><a class="button" href="${paths.album(albumId)}">Back to the album</a></div></div>`;
  return accountPage(desk, visit, {
    status: 400,
    title: 'Not all photos were added',
    current: paths.albums,
    content,
    width: 'narrow',
  });
}
