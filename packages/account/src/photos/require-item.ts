import { findAlbum, findPhoto, type MemberAlbum, type MemberPhoto } from '@gantry/service/account';
import { SocialError } from '@gantry/wire';
import type { ItemRequest } from '../request/page-request.ts';

/** @throws SocialError NOT_FOUND for an id without an album, and for another member's. */
export async function requireAlbum({ context, id, member, texts }: ItemRequest): Promise<MemberAlbum> {
  const album = await findAlbum(context, { id, memberId: member.id });
  if (!album) throw new SocialError('NOT_FOUND', texts.say('albums.missing'));
  return album;
}

/** @throws SocialError NOT_FOUND for an id without a photo, and for another member's. */
export async function requirePhoto({ context, id, member, texts }: ItemRequest): Promise<MemberPhoto> {
  const photo = await findPhoto(context, { id, memberId: member.id });
  if (!photo) throw new SocialError('NOT_FOUND', texts.say('photo.missing'));
  return photo;
}
