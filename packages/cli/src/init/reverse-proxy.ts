import { gantryPaths } from '@gantry/wire';
import { gantryPort } from './env-file.ts';
import { mark } from './made-file.ts';

/** Gantry's paths for the public; health and metrics are for this machine. */
const paths = gantryPaths.filter((path) => !['/healthz', '/readyz', '/metrics'].includes(path));

/** Writes the locations that nginx passes to Gantry, for the site's `server` block. */
export function nginxLocations(): string {
  const names = paths.map((path) => path.slice(1).replaceAll('.', '\\.'));
  return `# ${mark}. Include it in the site's server { … } block, before other locations.
# proxy_pass has no path: Gantry gets the target as it was sent, which signatures cover.
location ~ ^/(${names.join('|')})(/|$) {
  proxy_pass http://127.0.0.1:${gantryPort};
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host; # with its port, which $host drops
  proxy_set_header X-Forwarded-For $remote_addr; # replaces what a client claims
  client_max_body_size 32m; # photos
  proxy_request_buffering off;
  proxy_buffering off; # events arrive at once
}
`;
}

/** Writes a whole configuration for Caddy: Gantry's paths to Gantry, the rest to the site. */
export function caddyFile({ url, sitePort }: { readonly url: string; readonly sitePort: number }): string {
  const matched = paths.flatMap((path) => [path, `${path}/*`]);
  return `# ${mark}. Caddy before the site and Gantry: caddy run --config gantry.Caddyfile
${url} {
	@gantry path ${matched.join(' ')}
	handle @gantry {
		reverse_proxy 127.0.0.1:${gantryPort}
	}
	handle {
		reverse_proxy 127.0.0.1:${sitePort}
	}
}
`;
}
