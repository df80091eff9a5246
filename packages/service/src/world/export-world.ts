import { type Database, type SqlValue, sql, unseal } from '@gantry/store';
import { levels } from '../authorize.ts';
import { mediaPath } from '../media.ts';
import { sealContext } from '../signed-request.ts';
import { urlWithin } from '../store/bounded-text.ts';
import type { ConsumerKind } from '../store/consumers.ts';
import {
  addressColumn,
  type Fields,
  largeRowsAtOnce,
  type Query,
  rowsOf,
  type Table,
  textColumn,
  titleColumn,
} from './export-rows.ts';

const title = titleColumn(sql`title`);
const description = textColumn(sql`description`);
const thumbnail = addressColumn(sql`thumbnail_url`);

export interface ExportOptions {
  /** Opens the secrets of consumers and adds the hashes of passwords. Absent: keys that have a secret are left out. */
  readonly secretKey?: Uint8Array | undefined;
  /**
   * Copies an image of the media folder and answers the `file` of its record. Absent: images that the site keeps are left
   * out, and their items keep addresses that another site will not have.
   */
  readonly copyImage?: ((file: string) => Promise<string>) | undefined;
  /** Takes some whole lines. The next come when it has resolved. */
  readonly write: (lines: string) => Promise<void>;
  readonly onProgress?: (progress: { readonly records: number; readonly total: number }) => void;
}

export interface ExportReport {
  readonly records: number;
  /** Consumer keys that were left out, since their secrets were. */
  readonly consumersLeftOut: number;
  /** Items whose images were left out. */
  readonly imagesLeftOut: number;
}

/**
 * Writes the whole site as JSON Lines that `importLines` takes: all of one moment, whatever is written meanwhile, and in an
 * order in which each record finds what it refers to. Tokens, sessions and what an app's address is are not part of it.
 */
export async function exportWorld(db: Database, options: ExportOptions): Promise<ExportReport> {
  return db.snapshot(async (query) => {
    const writer = await createWriter(query, options);
    for (const part of parts) await part(query, writer, options);
    await writer.flush();
    return writer.report;
  });
}

interface Writer {
  readonly report: { records: number; consumersLeftOut: number; imagesLeftOut: number };
  record(record: object): Promise<void>;
  flush(): Promise<void>;
}

const chunkLength = 1 << 20;

async function createWriter(query: Query, { write, onProgress = () => {} }: ExportOptions): Promise<Writer> {
  const report = { records: 0, consumersLeftOut: 0, imagesLeftOut: 0 };
  const total = await estimate(query);
  let chunk = '';
  async function flush(): Promise<void> {
    await write(chunk);
    chunk = '';
    onProgress({ records: report.records, total: Math.max(total, report.records) });
  }
  return {
    report,
    flush,
    async record(record) {
      chunk += `${JSON.stringify(record)}\n`;
      report.records++;
      if (chunk.length >= chunkLength) await flush();
    },
  };
}

/** Rows of the tables that can be large; a friendship has two. */
async function estimate(query: Query): Promise<number> {
  const [row] = await query<{ n: number }>(sql`
    select (select count(*) from member) + (select count(*) from friendship) / 2 + (select count(*) from activity)
      + (select count(*) from media_item) as n`);
  return Number(row?.n ?? 0);
}

type Part = (query: Query, writer: Writer, options: ExportOptions) => Promise<void>;

/** In the order of an import. */
const parts: readonly Part[] = [
  site,
  members,
  friendships,
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
  consumers,
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
  mediaItems,
];

function table(read: Table, recordOf: (row: Fields) => object): Part {
  return async (query, writer) => {
    for await (const row of rowsOf(read, query)) await writer.record(recordOf(row));
  };
}

async function site(query: Query, writer: Writer): Promise<void> {
  const rows = await query<{ name: string; value: string }>(sql`select name, value from setting order by name`);
  const { name = 'Gantry', timeZone, ...settings } = Object.fromEntries(rows.map((row) => [row.name, row.value]));
  if (rows.length > 0)
    await writer.record({ kind: 'site', name, ...(timeZone !== undefined && { timeZone }), settings });
}

const fieldLevels = {
  aboutMe: 'about_me_level',
  addresses: 'region_level',
  age: 'age_level',
  birthday: 'birthday_level',
  gender: 'gender_level',
  languagesSpoken: 'language_level',
} as const;

async function members(query: Query, writer: Writer, { secretKey }: ExportOptions): Promise<void> {
  const read = {
    columns: sql`id, display_name, thumbnail_url, ${textColumn(sql`about_me`)}, region, birthday, gender, language, about_me_level, region_level,
      age_level, birthday_level, gender_level, language_level, admin,
      (select hash from member_password where member_password.member_id = member.id) as hash`,
    from: sql`member where true`,
    key: ['id'],
  } as const;
  for await (const row of rowsOf(read, query)) {
    const hidden = Object.entries(fieldLevels).filter(([, column]) => row[column] !== 0);
    const visibility = Object.fromEntries(hidden.map(([field, column]) => [field, levels[Number(row[column])]]));
    const { id, display_name, thumbnail_url, about_me, region, birthday, gender, language, admin, hash } = row;
    await writer.record({
      kind: 'member',
      id,
      displayName: display_name,
      ...filled({ thumbnailUrl: thumbnail_url, aboutMe: about_me, region, birthday, gender, language }),
      ...(hidden.length > 0 && { visibility }),
      ...(admin === 1 && { admin: true }),
      ...(secretKey && hash !== null && { passwordHash: hash }),
    });
  }
}

/** Each once, from the member whose id comes first. */
async function friendships(query: Query, writer: Writer): Promise<void> {
  const read = {
    columns: sql`member_id, friend_id`,
    from: sql`friendship where (length(member_id) < length(friend_id)
      or (length(member_id) = length(friend_id) and member_id < friend_id))`,
    key: ['member_id', 'friend_length', 'friend_id'],
  } as const;
  for await (const { member_id, friend_id } of rowsOf(read, query)) {
    await writer.record({ kind: 'friendship', members: [member_id, friend_id] });
  }
}

async function consumers(query: Query, writer: Writer, { secretKey }: ExportOptions): Promise<void> {
  const read = {
    columns: sql`key, kind, title, method, sealed_secret, public_key, require_body_hash, member_id, app_id, container,
      any_member`,
    from: sql`consumer where true`,
    key: ['key'],
  } as const;
  for await (const row of rowsOf(read, query)) {
    const key = String(row.key);
    const isSecret = row.public_key === null;
    if (isSecret && !secretKey) {
      writer.report.consumersLeftOut++;
      continue;
    }
    const secret =
      secretKey && isSecret ? unseal(secretKey, String(row.sealed_secret), sealContext.consumer(key)) : undefined;
    await writer.record({
      kind: 'consumer',
      key,
      ...(secret === undefined ? { publicKey: row.public_key } : { secret }),
      consumerKind: row.kind as ConsumerKind,
      ...(row.method !== 'HMAC-SHA1' && { method: row.method }),
      ...(row.member_id !== null && { memberId: row.member_id }),
      ...(row.app_id !== null && { appId: row.app_id }),
      ...filled({ title: row.title ?? '' }),
      ...(row.container === 1 && { container: true }),
      ...(row.any_member === 1 && { anyMember: true }),
      ...(row.require_body_hash === 1 && { requireBodyHash: true }),
    });
  }
}

/** One record for a member and an app, with all keys. */
async function appData(query: Query, writer: Writer): Promise<void> {
  const read = {
    columns: sql`member_id, app_id, key, value`,
    from: sql`app_data where true`,
    key: ['member_id', 'app_id', 'key'],
    atOnce: largeRowsAtOnce,
  } as const;
  let owner: Fields | undefined;
  let data: [string, SqlValue | undefined][] = [];
  const close = async () => {
    if (!owner) return;
    const { member_id: memberId, app_id: appId } = owner;
    await writer.record({ kind: 'appData', appId, memberId, data: Object.fromEntries(data) });
    data = [];
  };
  for await (const row of rowsOf(read, query)) {
    if (owner?.member_id !== row.member_id || owner?.app_id !== row.app_id) await close();
    owner = row;
    data.push([String(row.key), row.value]);
  }
  await close();
}

async function mediaItems(query: Query, writer: Writer, { copyImage }: ExportOptions): Promise<void> {
  const read = {
    columns: sql`id, album_id, ${title}, ${description}, created_at_s, updated_at_s, file_size,
      ${addressColumn(sql`url`)}, ${thumbnail}, level,
      (select file from media_file where item_id = media_item.id and media_item.url = ${mediaPath} || token) as file`,
    from: sql`media_item where true`,
    key: ['id'],
  } as const;
  for await (const row of rowsOf(read, query)) {
    const { id, album_id, title, description, created_at_s, updated_at_s, file_size, url, thumbnail_url, level, file } =
      row;
    const isOwn = typeof file === 'string';
    if (isOwn && !copyImage) writer.report.imagesLeftOut++;
    await writer.record({
      kind: 'mediaItem',
      id,
      albumId: album_id,
      ...filled({ title, description }),
      created: timeText(created_at_s),
      lastUpdated: timeText(updated_at_s),
      ...(isOwn && copyImage
        ? { file: await copyImage(file) }
        : { fileSize: String(file_size), ...filled({ url, thumbnailUrl: thumbnail_url }) }),
      ...levelOf(level),
    });
  }
}

/** Without the texts that are empty: an import fills them in so. */
function filled(texts: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function levelOf(level: SqlValue | undefined): { readonly visibility?: string | undefined } {
  return level === 0 ? {} : { visibility: levels[Number(level)] };
}

function timeText(seconds: SqlValue | undefined): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}
