import { patroniPort, postgresPort } from './patroni-configuration.ts';

/**
 * Returns the configuration of a HAProxy before the leader. Sessions of one that is marked down are
 * closed, and nothing is tried again: a client that waits here answers its own clients late.
 */
export function haproxyConfiguration(port: number, addresses: readonly string[]): string {
  const servers = addresses.map(
    (address, index) => `  server server${index + 1} ${address}:${postgresPort} check port ${patroniPort}`,
  );
  return `defaults
  mode tcp
  retries 0
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
