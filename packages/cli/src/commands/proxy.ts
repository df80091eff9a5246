import { configuration, createSiteProxy, runUntilStopped, serverFlags, upstreamSettings } from '@gantry/server';
import { type Command, withFlags } from '../command.ts';
import { checkUpstream } from '../site-check/check-upstream.ts';

const options = {
  ...serverFlags,
  bucket: { type: 'string' },
  upstream: { type: 'string' },
  'media-origin': { type: 'string' },
  'idempotent-posts': { type: 'boolean' },
  'records-key': { type: 'string' },
} as const;

const believes = 'Only the site knows its members: gantry proxy believes the id in each viewer token.';

/** `gantry proxy`: apps for an existing site that has this API. */
export const proxy: Command = {
  name: 'proxy',
  summary: 'Run apps in front of an existing site that has this API',
  help: `Usage: gantry proxy --upstream URL [options]

Serves paths below /gantry/: the container's scripts, apps in their sandboxes, and their calls, which it signs with keys
that the site issued. Runs until it is stopped, and finishes accepted requests.

  --upstream URL    REST root of the site, the parent of /people/… (GANTRY_UPSTREAM)
  --media-origin LIST  Origins of its photos and thumbnails, so that apps may show them, separated by commas
                    (GANTRY_MEDIA_ORIGINS)
  --idempotent-posts  The site executes posts of one Idempotency-Key once, so posts without a response are sent again
                    (GANTRY_IDEMPOTENT_POSTS=1)
  --records-key KEY  Administrator's key of a site that is a Gantry, to report which members have which app
                    (GANTRY_RECORDS_KEY); its secret is GANTRY_RECORDS_SECRET, never a flag
  --port N          Port (PORT, default 4400; 0 lets the system choose)
  --host NAME       Address to listen on (GANTRY_HOST, default 127.0.0.1, so only this machine)
  --socket PATH     Unix socket instead of port and host, for a reverse proxy (GANTRY_SOCKET); needs --url
  --url URL         Address of the site's pages, which send /gantry/ here (GANTRY_URL, default http://localhost:PORT)
  --apps-host HOST  Origin of app documents (GANTRY_APPS_HOST); *.apps.example gives each app its own
  --trust-proxy LIST  Reverse proxies whose X-Forwarded-For and X-Request-Id are believed (GANTRY_TRUSTED_PROXIES)
  --grace SECONDS   Time after SIGTERM in which /readyz fails but requests are accepted (GANTRY_GRACE, default 0)
  --bucket WHERE    s3://name: keep the files of apps there (GANTRY_BUCKET); see docs/guides/bucket.md
  --data, --database, --help

GANTRY_VIEWER_KEY (32 bytes or more) is required: with it the site's pages name the signed-in member, and are
believed, since only the site knows its members. Register apps with
gantry app add FOLDER --key KEY, in the same data folder. See docs/guides/site-owner.md.

Examples:
  gantry proxy --upstream https://site.example/social/rest --url https://site.example
  gantry proxy --upstream http://10.0.0.7/api/rest --media-origin https://img.site.example --port 8080
  gantry app add ./my-gadget --key the-consumer-key < secret.txt`,
  run: withFlags({ options, allowPositionals: false }, async ({ values, env, output }) => {
    const setup = configuration(values, env);
    const site = upstreamSettings(values, env);
    const warning = await checkUpstream(site.upstreamUrl);
    if (warning !== undefined) output.err(warning);
    output.err(believes);
    await runUntilStopped({ configuration: setup, create: (gantry) => createSiteProxy({ ...gantry, ...site }) });
  }),
};
