import type { Statement } from '@gantry/store';
import type { HttpResponse, PageViewer, UnsignedRead } from '@gantry/wire';
import type { TakeRate } from '@gantry/wire/runtime';
import type { DocumentSource } from './apps/document-source.ts';
import type { Middleware } from './call-path.ts';
import type { ChangeSource } from './events/changes.ts';
import type { EventLimits } from './events/events.ts';
import type { TokenKey } from './gadgets/gadget-token.ts';
import type { Installs } from './installs/installs.ts';
import type { Ports } from './ports.ts';
import type { SiteApps } from './registry/site-apps.ts';
import type { Upstream } from './upstream/upstream.ts';

/** The configuration of a site's proxy, and its ports. */
export interface ProxyOptions extends Pick<Ports, 'db'>, Partial<Omit<Ports, 'db'>> {
  readonly upstream: Upstream;
  /** Resolves with whether a read's validator is still valid, without a signed request. */
  readonly confirms?: (known: UnsignedRead) => Promise<boolean>;
  /** REST root as it is signed, for example `http://localhost:4400/social/rest`. */
  readonly upstreamUrl: string;
  /** The upstream deduplicates posts by `Idempotency-Key`, as our service does. Default: false. */
  readonly honoursKeys?: boolean;
  /** Origin of the site, whose pages hold the gadgets. */
  readonly publicUrl: string;
  /** Origin of app documents, `*.` for one per app. Default: the site's own, kept opaque. */
  readonly appsHost?: string;
  /** Origins of photos and thumbnails that apps may show, beside the site's own. */
  readonly mediaOrigins?: readonly string[];
  /** Calls per minute for each pair of member and app. Default: 1,200; 0 for no limit. */
  readonly callsPerMinute?: number;
  /** Counts calls and deliveries for all processes of the site. Default: each for itself. */
  readonly takeRate?: TakeRate | undefined;
  /** Resolves with the signed-in member. An id alone is believed. */
  readonly viewer: (request: Request) => Promise<PageViewer | string | undefined>;
  /** Unseals consumer secrets: 32 bytes. */
  readonly secretKey: Uint8Array;
  /** The first signs, all verify. At least 32 bytes each. */
  readonly tokenKeys: readonly TokenKey[];
  /** Reads the token keys again, since they may change while the proxy runs. */
  readonly readTokenKeys?: () => Promise<readonly TokenKey[]>;
  /** Paths of the built scripts. `chunks/` and the self-test's scripts lie beside the container. */
  readonly scripts: { readonly osapi: string; readonly container: string };
  /** Serves the self-test's pages, `/gantry/self-test` and below. Absent: there is none. */
  readonly selfTest?: ((request: Request) => Promise<HttpResponse>) | undefined;
  /** Keeps which members have which apps, if the site does. */
  readonly installs?: Installs;
  /** Condition over `app_registrations` for a paused app. Default: its own column. */
  readonly paused?: Statement;
  /** Accepted versions that are kept of each app, beside the live one. Default: 10. */
  readonly keptVersions?: number | undefined;
  /** Source of the upstream's changes. Default: only writes through this proxy are known. */
  readonly changes?: ChangeSource;
  /** Changes apps for `/gantry/registry/`. Absent: there is no registry. */
  readonly apps?: SiteApps;
  readonly eventLimits?: EventLimits;
  /** Source of the files of served apps. Default: their folders. */
  readonly documents?: DocumentSource;
  /** Folder of versions' files, shared by processes of a machine. Default: a temporary one. */
  readonly fileCache?: string;
  /** A middleware after permissions and before cache and upstream, for tools that inject faults. */
  readonly middleware?: Middleware;
  /** Returns headers that name the current request, such as `x-request-id`, to send upstream. */
  readonly traceHeaders?: () => Readonly<Record<string, string>>;
}
