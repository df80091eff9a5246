/** Settings that decide how long nobody leads, in seconds. */
export interface Timing {
  readonly ttl: number;
  readonly loopWait: number;
  readonly retryTimeout: number;
}

export interface PatroniOptions {
  readonly name: string;
  /** Address of its network namespace. */
  readonly address: string;
  readonly dataFolder: string;
  readonly etcd: { readonly version: 2 | 3; readonly host: string };
  readonly timing: Timing;
  readonly password: string;
  /** Program that gets the address of the new database as its argument. */
  readonly afterwards: string;
}

/** Ports in the namespace. */
export const postgresPort = 5432;
export const patroniPort = 8008;

export const binaries = '/usr/lib/postgresql/15/bin';

/** Returns Patroni's configuration, in JSON, which is YAML, too. */
export function patroniConfiguration(options: PatroniOptions): string {
  const { name, address, dataFolder, etcd, timing, password, afterwards } = options;
  const user = (username: string) => ({ username, password });
  return JSON.stringify({
    scope: 'gantry',
    name,
    restapi: { listen: `${address}:${patroniPort}`, connect_address: `${address}:${patroniPort}` },
    [etcd.version === 3 ? 'etcd3' : 'etcd']: { host: etcd.host },
    bootstrap: {
      dcs: {
        ttl: timing.ttl,
        loop_wait: timing.loopWait,
        retry_timeout: timing.retryTimeout,
        maximum_lag_on_failover: 1_048_576,
        master_start_timeout: 0, // a leader that crashed is replaced, not waited for
        synchronous_mode: true,
        synchronous_mode_strict: true, // without a standby writes wait, instead of being kept by one server
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 150,
            max_wal_size: '1GB',
            log_min_messages: 'fatal',
            // At its default, 5 s, promotion and the new standby each wait as long.
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      post_bootstrap: afterwards,
    },
    postgresql: {
      listen: `${address}:${postgresPort}`,
      connect_address: `${address}:${postgresPort}`,
      data_dir: dataFolder,
      bin_dir: binaries,
      // The third server may have received what the new leader has not: then it is copied anew.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      basebackup: [{ checkpoint: 'fast' }],
      pgpass: `${dataFolder}.pgpass`,
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host all all all scram-sha-256', 'host replication replicator all scram-sha-256'],
    },
    watchdog: { mode: 'off' },
  });
}
