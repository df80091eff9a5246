import { SocialError } from '@gantry/wire';
import type { PageContext } from '../http/page-context.ts';
import type { MemberRequest } from '../http/page-request.ts';
import { type OwnAlbum, ownAlbum } from './album-rows.ts';

/** @throws SocialError NOT_FOUND for an id without an album, and for another member's. */
export async function requireAlbum(
  { db }: PageContext,
  { member, texts }: MemberRequest,
  id: string,
): Promise<OwnAlbum> {
  const album = await ownAlbum(db, { id, memberId: member.id });
  if (!album) throw new SocialError('NOT_FOUND', texts.say('albums.missing'));
  return album;
}
