import { gantryPaths } from '@gantry/wire';
import { mark } from './generated-file.ts';

/** The port of `gantry serve` beside a site in another language. */
export const gantryPort = 4400;

/** Gantry's public paths; health and metrics are for this machine. */
const paths = gantryPaths.filter((path) => !['/healthz', '/readyz', '/metrics'].includes(path));

/** Matches them and all paths below. */
const pattern = `^/(${paths.map((path) => path.slice(1).replaceAll('.', '\\.')).join('|')})(/|$)`;

/** Returns the nginx location of Gantry, for the site's `server` block. */
export function nginxLocations(): string {
  return `# ${mark}. Include it in the site's server { … } block, before other locations.
# proxy_pass has no path: Gantry gets the target as it was sent, which signatures cover.
location ~ ${pattern} {
  proxy_pass http://127.0.0.1:${gantryPort};
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host; # with its port, which $host drops
  proxy_set_header X-Forwarded-For $remote_addr; # replaces what a client claims
  proxy_set_header X-Forwarded-Proto $scheme;
  client_max_body_size 32m; # photos
  proxy_request_buffering off;
}
`;
}

/** Returns Caddy's configuration: Gantry's paths go to Gantry, all others to the site. */
export function caddyFile({ url, sitePort }: { readonly url: string; readonly sitePort: number }): string {
  return `# ${mark}. Caddy before the site and Gantry: caddy run --config gantry.Caddyfile --adapter caddyfile
${url} {
	@gantry path_regexp ${pattern}
	handle @gantry {
		reverse_proxy 127.0.0.1:${gantryPort} {
			transport http {
				keepalive 5s # shorter than Gantry's 10 s, so that no request meets a connection that closes
			}
		}
	}
	handle {
		reverse_proxy 127.0.0.1:${sitePort}
	}
}
`;
}
