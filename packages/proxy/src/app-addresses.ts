import { createHash } from 'node:crypto';
import type { DocumentSource } from './document-source.ts';
import type { Manifest } from './manifest.ts';
import type { RegisteredApp } from './registrations.ts';

/** Where app documents live: the isolation mode as data (security rule 4). */
export interface AppAddresses {
  /**
   * Origin that serves the files of an app. If each app has its own, another app under the same id gets another one, so
   * that it finds nothing that the browser kept for the first.
   */
  originOf(app: string, registration?: string): string;
  /** Absolute URL of the page that the app has for `view`: the sub-view's own, else the view's, else its only one. */
  documentOf(app: RegisteredApp, view?: string): string;
  /** True where apps have hosts of their own, so that their frames can be told from the site. */
  readonly ownHosts: boolean;
  /** True where no other app and no page of the site has the app's origin, so that it can keep it. */
  keepsApart(app: RegisteredApp): boolean;
}

/**
 * @param options.appsHost Absent: documents come from the site's origin and are kept opaque by their `sandbox`. An
 * origin: all apps share it. An origin that begins with `*.`: each app has a subdomain named after its id's hash.
 * @param options.pathOf As `DocumentSource.pathOf`.
 * @throws Error in one line, see `appsHostProblem`.
 */
export function createAppAddresses(options: {
  readonly siteOrigin: string;
  readonly appsHost: string | undefined;
  readonly pathOf?: DocumentSource['pathOf'];
}): AppAddresses {
  const { siteOrigin, appsHost, pathOf = (_app, page) => page } = options;
  const problem = appsHostProblem(options);
  if (problem !== undefined) throw new Error(problem);

  function originOf(app: string, registration = ''): string {
    return appsHost?.replace('://*.', `://${hostLabel(app, registration)}.`) ?? siteOrigin;
  }

  function isAppsHost(host: string): boolean {
    if (appsHost === undefined) return false;
    const shared = new URL(appsHost.replace('://*.', '://')).host;
    return host === shared || host.endsWith(`.${shared}`);
  }

  return {
    originOf,
    ownHosts: appsHost !== undefined,
    keepsApart({ source }) {
      if (source.kind === 'served') return appsHost?.includes('://*.') ?? false;
      const { host } = new URL(source.url);
      return host !== new URL(siteOrigin).host && !isAppsHost(host);
    },
    documentOf({ id, registration, source, manifest }, view) {
      if (source.kind === 'remote') return new URL(source.url).href;
      const path = [id, ...pathOf(id, pageOf(manifest, view)).split('/')].map(encodeURIComponent).join('/');
      return `${originOf(id, registration)}/gantry/apps/${path}`;
    },
  };
}

/** Returns the file that an app shows for `view`: the sub-view's own, else the view's, else its only page. */
export function pageOf({ page, views = {} }: Manifest, view = ''): string {
  const own = new Map(Object.entries(views));
  return own.get(view) ?? own.get(view.split('.')[0] as string) ?? page;
}

/**
 * Says in one line why a site must not start with this `appsHost`, for whoever set it up: it is no origin, it shares cookies with
 * the site or would set those of the site, or browsers would show no such frame (security rule 4). `undefined` where it may.
 */
export function appsHostProblem(options: {
  readonly siteOrigin: string;
  readonly appsHost: string | undefined;
}): string | undefined {
  const { siteOrigin, appsHost } = options;
  if (appsHost === undefined) return undefined;
  const sample = appsHost.replace('://*.', '://any.');
  if (!URL.canParse(sample) || new URL(sample).origin !== sample) {
    return `The apps host must be an origin such as http://*.apps.localhost:4400, not ${appsHost}.`;
  }
  const site = new URL(siteOrigin);
  const apps = new URL(appsHost.replace('://*.', '://'));
  if (!appsHost.includes('://*.') && apps.hostname === site.hostname) {
    return 'The apps host must not be the host of the site itself, on no port either: cookies know no ports.';
  }
  if (site.hostname.endsWith(`.${apps.hostname}`)) {
    return `The site ${site.hostname} must not be below the apps host ${apps.hostname}: apps could set its cookies.`;
  }
  if (site.protocol === 'https:' && apps.protocol === 'http:') {
    return `The apps host ${appsHost} must be https as the site is: browsers show no plain frame on its pages.`;
  }
  return undefined;
}

// Ids may hold what host names may not; a hash also keeps one app from choosing a name that looks like another's.
function hostLabel(app: string, registration: string): string {
  return createHash('sha256')
    .update(registration === '' ? app : `${app} ${registration}`)
    .digest('hex')
    .slice(0, 32);
}
