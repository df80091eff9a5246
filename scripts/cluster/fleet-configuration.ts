/** Ports of HAProxy, on this machine. */
export interface FleetPorts {
  /** The site: any process that is ready. */
  readonly site: number;
  /** Each process alone, under the site's address. */
  readonly processes: readonly number[];
}

/** Address and port of a server. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/**
 * Returns the configuration of a HAProxy before the processes, without stickiness, and before the
 * PostgreSQL, for the namespaces. A request is sent again only if it reached no process. Sessions
 * of one that is not ready stay open, since it still answers what it has accepted.
 */
export function fleetConfiguration(
  ports: FleetPorts,
  {
    processes,
    database,
    postgres,
  }: { readonly processes: readonly Endpoint[]; readonly database: Endpoint; readonly postgres: number },
): string {
  const server = ({ address, port }: Endpoint, index: number) => `  server process${index + 1} ${address}:${port}`;
  const alone = processes.map(
    (endpoint, index) => `frontend alone${index + 1}
  bind 127.0.0.1:${ports.processes[index]}
  http-request set-header Host localhost:${ports.site}
  default_backend alone${index + 1}
backend alone${index + 1}
${server(endpoint, index)}`,
  );
  return `defaults
  mode http
  timeout connect 1s
  timeout check 1s
  timeout client 1m
  timeout server 20s
  timeout queue 1s
  retries 3
  retry-on conn-failure
  option redispatch 1
listen site
  bind 127.0.0.1:${ports.site}
  balance roundrobin
  option httpchk GET /readyz
  http-check send hdr Host localhost:${ports.site}
  default-server check inter 500ms fall 2 rise 1
${processes.map(server).join('\n')}
${alone.join('\n')}
listen postgres
  mode tcp
  bind ${database.address}:${database.port}
  timeout client 1h
  timeout server 1h
  server postgres 127.0.0.1:${postgres}
`;
}
