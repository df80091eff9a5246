/** A table that `gantry move` copies. */
export interface MovedTable {
  readonly name: string;
  /** Columns that tell rows apart, in the order of an index. */
  readonly key: readonly string[];
  /** The index orders the last of them by length first. */
  readonly byLength?: true;
}

/** Tables of the service, each after those that it refers to. */
const serviceTables: readonly MovedTable[] = [
  { name: 'setting', key: ['name'] },
  { name: 'site_version', key: ['one'] },
  { name: 'member', key: ['id'] },
  { name: 'member_version', key: ['member_id', 'topic'] },
  { name: 'introduction', key: ['member_id'] },
  { name: 'removed_member', key: ['member_id'] },
  { name: 'member_password', key: ['member_id'] },
  { name: 'member_session', key: ['digest'] },
  { name: 'sign_in_limit', key: ['subject'] },
  { name: 'friendship', key: ['member_id', 'friend_id'], byLength: true },
  { name: 'block', key: ['blocked_id', 'blocker_id'] },
  { name: 'app', key: ['id'] },
  { name: 'member_app', key: ['member_id', 'app_id'] },
  { name: 'app_data', key: ['member_id', 'app_id', 'key'] },
  { name: 'consumer', key: ['key'] },
  { name: 'member_key', key: ['id'] },
  { name: 'request_token', key: ['token'] },
  { name: 'access_token', key: ['token'] },
  { name: 'activity', key: ['id'] },
  { name: 'last_post', key: ['poster', 'member_id'] },
  { name: 'keyed_post', key: ['member_id', 'poster', 'post_key'] },
  { name: 'album', key: ['id'] },
  { name: 'media_item', key: ['id'] },
  { name: 'media_file', key: ['token'] },
];

const proxyTables: readonly MovedTable[] = [
  { name: 'app_registrations', key: ['id'] },
  { name: 'app_grants', key: ['viewer', 'app_id', 'permission'] },
  { name: 'removed_apps', key: ['id'] },
  { name: 'write_log', key: ['viewer', 'app', 'id'] },
  { name: 'having_report', key: ['viewer', 'app_id'] },
  { name: 'app_chunks', key: ['digest'] },
  { name: 'app_chunk_bytes', key: ['digest'] },
  { name: 'app_loose_chunks', key: ['digest'] },
  { name: 'app_versions', key: ['app_id', 'registration', 'digest'] },
  { name: 'app_version_chunks', key: ['app_id', 'registration', 'version', 'chunk'] },
  { name: 'app_previews', key: ['app_id', 'registration', 'member_id'] },
  { name: 'app_audit', key: ['id'] },
  { name: 'registry_keys', key: ['id'] },
  { name: 'site_keys', key: ['one'] },
];

/**
 * Tables to copy, by the use of the database. A migration that adds a table names it here, or in
 * the test of those that begin anew (docs/decisions/0079-moving.md).
 */
export const movedTables: Readonly<Record<'site' | 'proxy', readonly MovedTable[]>> = {
  site: [...serviceTables, ...proxyTables],
  proxy: proxyTables,
};
