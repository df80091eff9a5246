import { type SqlValue, sql, unseal } from '@gantry/store';
import { sealContext } from '../auth/verify-request.ts';
import { levels } from '../authorize.ts';
import { allSettings, type StoredSetting } from '../settings.ts';
import { urlWithin } from '../store/bounded-text.ts';
import { fileOfItem } from '../store/media-files.ts';
import { levelColumns } from '../store/people.ts';
import {
  addressColumn,
  type ExportedRow,
  largeRowsAtOnce,
  type RunQuery,
  rowsOf,
  type Table,
  textColumn,
  titleColumn,
} from './export-rows.ts';

const title = titleColumn(sql`title`);
const description = textColumn(sql`description`);
const thumbnail = addressColumn(sql`thumbnail_url`);

/** Parts of a site that an export may include. */
export interface ExportScope {
  /** Opens consumer secrets and adds password hashes. Absent: keys with a secret are left out. */
  readonly secretKey?: Uint8Array | undefined;
  /**
   * Copies an image of the media folder and returns the `file` of its record. Absent: the site's
   * images are left out, and their items keep URLs that do not work on another site.
   */
  readonly copyImage?: ((file: string) => Promise<string>) | undefined;
}

export interface ExportContext extends ExportScope {
  readonly query: RunQuery;
  readonly report: { consumersLeftOut: number; imagesLeftOut: number };
  write(record: object): Promise<void>;
}

type Exporter = (context: ExportContext) => Promise<void>;

/** Exporters in the order of an import. */
export const exporters: readonly Exporter[] = [
  site,
  table(
    {
      columns: sql`id, display_name, thumbnail_url, ${textColumn(sql`about_me`)}, region, birthday, gender, language,
        ${sql.names(Object.values(levelColumns))}, admin,
        (select hash from member_password where member_password.member_id = member.id) as hash`,
      from: sql`member where true`,
      key: ['id'],
    },
    memberRecord,
  ),
  // Each friendship once, from the member whose id comes first.
  table(
    {
      columns: sql`member_id, friend_id`,
      from: sql`friendship where (length(member_id) < length(friend_id)
        or (length(member_id) = length(friend_id) and member_id < friend_id))`,
      key: ['member_id', 'friend_length', 'friend_id'],
    },
    ({ member_id, friend_id }) => ({ kind: 'friendship', members: [member_id, friend_id] }),
  ),
  table(
    { columns: sql`blocked_id, blocker_id`, from: sql`block where true`, key: ['blocked_id', 'blocker_id'] },
    ({ blocked_id, blocker_id }) => ({ kind: 'block', members: [blocker_id, blocked_id] }),
  ),
  table(
    { columns: sql`id, title, url, active`, from: sql`app where true`, key: ['id'] },
    ({ id, title, url, active }) => ({
      kind: 'app',
      id,
      title,
      ...filled({ url }),
      ...(active === 0 && { active: false }),
    }),
  ),
  table(
    {
      columns: sql`member_id, app_id, installed, level, granted, changed_at_ms`,
      from: sql`member_app where (installed = 1 or level <> 0 or ended_by > 0)`,
      key: ['member_id', 'app_id'],
    },
    ({ member_id, app_id, installed, level, granted, changed_at_ms }) => ({
      kind: 'install',
      appId: app_id,
      memberId: member_id,
      ...levelOf(level),
      ...(installed === 0 && { removed: true }),
      ...(Number(changed_at_ms) > 0 && { changedAt: new Date(Number(changed_at_ms)).toISOString() }),
      ...(typeof granted === 'string' && { permissions: granted.split(' ').filter((name) => name !== '') }),
    }),
  ),
  table(
    {
      columns: sql`key, kind, title, method, sealed_secret, public_key, require_body_hash, member_id, app_id, container,
        any_member`,
      from: sql`consumer where true`,
      key: ['key'],
    },
    consumerRecord,
  ),
  table(
    {
      columns: sql`id, member_id, app_id, ${title}, ${urlWithin(sql`url`)} as url, posted_at_s`,
      from: sql`activity where true`,
      key: ['id'],
    },
    ({ id, member_id, app_id, title, url, posted_at_s }) => ({
      kind: 'activity',
      id,
      userId: member_id,
      title,
      ...(url !== null && { url }),
      postedTime: timeText(posted_at_s),
      ...(app_id !== null && { appId: app_id }),
    }),
  ),
  appData,
  table(
    {
      columns: sql`id, member_id, ${title}, ${description}, ${thumbnail}, level`,
      from: sql`album where true`,
      key: ['id'],
    },
    ({ id, member_id, title, description, thumbnail_url, level }) => ({
      kind: 'album',
      id,
      ownerId: member_id,
      title,
      ...filled({ description, thumbnailUrl: thumbnail_url }),
      ...levelOf(level),
    }),
  ),
  table(
    {
      columns: sql`id, album_id, ${title}, ${description}, created_at_s, updated_at_s, file_size,
        ${addressColumn(sql`url`)}, ${thumbnail}, level,
        ${fileOfItem}`,
      from: sql`media_item where true`,
      key: ['id'],
    },
    mediaItemRecord,
  ),
];

/** @param recordOf Returns the record of a row, or `undefined` to leave it out. */
function table(
  read: Table,
  recordOf: (row: ExportedRow, context: ExportContext) => object | undefined | Promise<object>,
): Exporter {
  return async (context) => {
    for await (const row of rowsOf(read, context.query)) {
      const record = await recordOf(row, context);
      if (record) await context.write(record);
    }
  };
}

async function site({ query, write }: ExportContext): Promise<void> {
  const rows = await query<StoredSetting>(allSettings);
  const { name = 'Gantry', timeZone, ...settings } = Object.fromEntries(rows.map((row) => [row.name, row.value]));
  if (rows.length > 0) await write({ kind: 'site', name, ...(timeZone !== undefined && { timeZone }), settings });
}

function memberRecord(row: ExportedRow, { secretKey }: ExportContext): object {
  const hidden = Object.entries(levelColumns).filter(([, column]) => row[column] !== 0);
  const visibility = Object.fromEntries(hidden.map(([field, column]) => [field, levels[Number(row[column])]]));
  const { id, display_name, thumbnail_url, about_me, region, birthday, gender, language, admin, hash } = row;
  return {
    kind: 'member',
    id,
    displayName: display_name,
    ...filled({ thumbnailUrl: thumbnail_url, aboutMe: about_me, region, birthday, gender, language }),
    ...(hidden.length > 0 && { visibility }),
    ...(admin === 1 && { admin: true }),
    ...(secretKey && hash !== null && { passwordHash: hash }),
  };
}

function consumerRecord(row: ExportedRow, { report, secretKey }: ExportContext): object | undefined {
  const key = String(row.key);
  const isSecret = row.public_key === null;
  if (isSecret && !secretKey) {
    report.consumersLeftOut++;
    return undefined;
  }
  const secret =
    secretKey && isSecret ? unseal(secretKey, String(row.sealed_secret), sealContext.consumer(key)) : undefined;
  return {
    kind: 'consumer',
    key,
    ...(secret === undefined ? { publicKey: row.public_key } : { secret }),
    consumerKind: row.kind,
    ...(row.method !== 'HMAC-SHA1' && { method: row.method }),
    ...(row.member_id !== null && { memberId: row.member_id }),
    ...(row.app_id !== null && { appId: row.app_id }),
    ...filled({ title: row.title ?? '' }),
    ...(row.container === 1 && { container: true }),
    ...(row.any_member === 1 && { anyMember: true }),
    ...(row.require_body_hash === 1 && { requireBodyHash: true }),
  };
}

/** Exports one record for each member and app, with all keys. */
async function appData({ query, write }: ExportContext): Promise<void> {
  const read = {
    columns: sql`member_id, app_id, key, value`,
    from: sql`app_data where true`,
    key: ['member_id', 'app_id', 'key'],
    atOnce: largeRowsAtOnce,
  } as const;
  let owner: ExportedRow | undefined;
  let data: [string, SqlValue | undefined][] = [];
  const close = async () => {
    if (!owner) return;
    const { member_id: memberId, app_id: appId } = owner;
    await write({ kind: 'appData', appId, memberId, data: Object.fromEntries(data) });
    data = [];
  };
  for await (const row of rowsOf(read, query)) {
    if (owner?.member_id !== row.member_id || owner?.app_id !== row.app_id) await close();
    owner = row;
    data.push([String(row.key), row.value]);
  }
  await close();
}

async function mediaItemRecord(row: ExportedRow, { report, copyImage }: ExportContext): Promise<object> {
  const { id, album_id, title, description, created_at_s, updated_at_s, file_size, url, thumbnail_url, file } = row;
  const isOwn = typeof file === 'string';
  if (isOwn && !copyImage) report.imagesLeftOut++;
  return {
    kind: 'mediaItem',
    id,
    albumId: album_id,
    ...filled({ title, description }),
    created: timeText(created_at_s),
    lastUpdated: timeText(updated_at_s),
    ...(isOwn && copyImage
      ? { file: await copyImage(file) }
      : { fileSize: String(file_size), ...filled({ url, thumbnailUrl: thumbnail_url }) }),
    ...levelOf(row.level),
  };
}

/** Leaves out empty texts, which an import fills in. */
function filled(texts: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function levelOf(level: SqlValue | undefined): { readonly visibility?: string | undefined } {
  return level === 0 ? {} : { visibility: levels[Number(level)] };
}

function timeText(seconds: SqlValue | undefined): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}
