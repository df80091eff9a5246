import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { previewFile, thumbnailType } from '@gantry/service/pages';
import { SocialError } from '@gantry/wire';
import type { PageContext } from '../http/page-context.ts';
import type { ItemMethods } from './item-methods.ts';
import { ownPhoto } from './photo-rows.ts';

/** Makes the small picture for the owner's pages. Unlike a media URL it needs the session. */
export function preview({ db, mediaFolder }: PageContext): ItemMethods {
  return {
    async get({ member, texts }, id) {
      const file = (await ownPhoto(db, { id, memberId: member.id }))?.file;
      const bytes =
        file === undefined || file === null
          ? undefined
          : await readFile(join(mediaFolder, previewFile(file))).catch(() => undefined);
      if (!bytes) throw new SocialError('NOT_FOUND', texts.say('photo.noPicture'));
      return {
        status: 200,
        headers: {
          'content-type': thumbnailType,
          'cache-control': 'private, no-cache',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
        },
        body: bytes,
      };
    },
  };
}
