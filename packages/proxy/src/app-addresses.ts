import { createHash } from 'node:crypto';
import type { RegisteredApp } from './registrations.ts';

/** Where app documents live: the isolation mode as data (security rule 4). */
export interface AppAddresses {
  /** Origin that serves the files of an app. */
  originOf(app: string): string;
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
 * @throws Error in one line for an `appsHost` that is not an origin, or is the site's own.
 */
export function createAppAddresses(options: {
  readonly siteOrigin: string;
  readonly appsHost: string | undefined;
}): AppAddresses {
  const { siteOrigin, appsHost } = options;
  const sample = appsHost?.replace('://*.', '://any.');
  if (sample !== undefined && (!URL.canParse(sample) || new URL(sample).origin !== sample)) {
    throw new Error(`The apps host must be an origin such as http://*.apps.localhost:4400, not ${appsHost}.`);
  }
  if (appsHost === siteOrigin) throw new Error('The apps host must not be the host of the site itself.');

  function originOf(app: string): string {
    return appsHost?.replace('://*.', `://${hostLabel(app)}.`) ?? siteOrigin;
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
    documentOf({ id, source, manifest: { page, views = {} } }, view = '') {
      if (source.kind === 'remote') return new URL(source.url).href;
      const own = new Map(Object.entries(views));
      const file = own.get(view) ?? own.get(view.split('.')[0] as string) ?? page;
      const path = [id, ...file.split('/')].map(encodeURIComponent).join('/');
      return `${originOf(id)}/gantry/apps/${path}`;
    },
  };
}

// Ids may hold what host names may not; a hash also keeps one app from choosing a name that looks like another's.
function hostLabel(app: string): string {
  return createHash('sha256').update(app).digest('hex').slice(0, 32);
}
