import { type Database, type Statement, sql } from '@gantry/store';
import { mediaPath } from '../paths.ts';

/** File of the item's own URL, in the media folder; null if it is kept elsewhere. */
export const fileOfItem = sql`(
  select file from media_file where item_id = media_item.id and media_item.url = ${mediaPath} || token) as file`;

/** Returns true if a media item uses this file of the media folder. */
export async function isFileUsed(db: Database, file: string): Promise<boolean> {
  const rows = await db.query(sql`select token from media_file where file = ${file} limit 1`);
  return rows.length > 0;
}

/** Returns a media URL's token, which grants access to the file: 128 random bits (contract §3). */
export function newMediaToken(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(16)).toString('base64url');
}

export interface MediaToken {
  readonly token: string;
  readonly item_id: string;
}

/** Gives a file of an item a new URL; the old one becomes invalid (contract §3). */
export function renewUrl({ token, item_id }: MediaToken, random: (bytes: number) => Uint8Array): readonly Statement[] {
  const after = newMediaToken(random);
  const [old, fresh] = [mediaPath + token, mediaPath + after];
  return [
    sql`update media_file set token = ${after} where token = ${token}`,
    sql`update media_item set url = ${fresh} where id = ${item_id} and url = ${old}`,
    sql`update media_item set thumbnail_url = ${fresh} where id = ${item_id} and thumbnail_url = ${old}`,
  ];
}
