import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SocialError } from '@gantry/wire';
import { thumbnailType } from '../../images/encode.ts';
import { previewFile } from '../../images/images.ts';
import { ownPhoto } from '../../store/photos.ts';
import type { Desk } from '../visit.ts';
import type { PageOf } from './photo-pages.ts';

/** The small picture of a photo for its owner's own pages. It needs the session: it is no media URL. */
export function preview({ db, mediaFolder }: Desk): PageOf {
  return {
    async get({ member }, id) {
      const file = (await ownPhoto(db, { id, memberId: member.id }))?.file;
      const bytes =
        file === undefined || file === null
          ? undefined
          : await readFile(join(mediaFolder, previewFile(file))).catch(() => undefined);
      if (!bytes) throw new SocialError('NOT_FOUND', 'There is no such picture.');
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
