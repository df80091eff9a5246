import { hash } from 'node:crypto';
import type { DocumentSource } from './document-source.ts';
import type { Manifest } from './manifest.ts';
import type { RegisteredApp } from './registrations.ts';

/** Addresses of app documents, by isolation mode (security rule 4). */
export type AppAddresses = ReturnType<typeof createAppAddresses>;

interface Origins {
  readonly siteOrigin: string;
  readonly appsHost: string | undefined;
}

/**
 * Derives the addresses of app documents from the site's configuration.
 *
 * @param options.appsHost Absent: the site's origin serves documents, and `sandbox` keeps them
 * opaque. An origin: all apps share it. An origin with `*.`: each app has a subdomain.
 * @param options.pathOf As `DocumentSource.pathOf`.
 * @throws Error in one line, see `appsHostProblem`.
 */
export function createAppAddresses(options: Origins & { readonly pathOf?: DocumentSource['pathOf'] }) {
  const { siteOrigin, appsHost, pathOf = (_app, page) => page } = options;
  const problem = appsHostProblem(options);
  if (problem !== undefined) throw new Error(problem);

  /**
   * Returns the origin that serves an app's files. With an origin per app, a replacement under the
   * same id gets another one, and so none of the data that browsers stored for its predecessor.
   */
  function originOf(app: string, registration = ''): string {
    return appsHost?.replace('://*.', `://${hostLabel(app, registration)}.`) ?? siteOrigin;
  }

  return {
    originOf,
    /** Apps are not served by the site's own host. */
    ownHosts: appsHost !== undefined,
    /** Returns whether the app shares its origin with no other app and no page of the site. */
    keepsApart({ source }: RegisteredApp): boolean {
      if (source.kind !== 'remote') return appsHost?.includes('://*.') ?? false;
      const { host } = new URL(source.url);
      if (host === new URL(siteOrigin).host) return false;
      if (appsHost === undefined) return true;
      const apps = new URL(appsHost.replace('://*.', '://')).host;
      return host !== apps && !host.endsWith(`.${apps}`);
    },
    /** Returns the absolute URL of the app's page for `view`. */
    documentOf({ id, registration, source, manifest }: RegisteredApp, view?: string): string {
      if (source.kind === 'remote') return new URL(source.url).href;
      const page = pageOf(manifest, view);
      const [folder, file] = source.kind === 'stored' ? [`/@${source.version}`, page] : ['', pathOf(id, page)];
      const path = file.split('/').map(encodeURIComponent).join('/');
      return `${originOf(id, registration)}/gantry/apps/${encodeURIComponent(id)}${folder}/${path}`;
    },
  };
}

/** Returns the file of a view: the sub-view's own, else the view's, else the app's only page. */
export function pageOf({ page, views = {} }: Manifest, view = ''): string {
  const pages = new Map(Object.entries(views));
  return pages.get(view) ?? pages.get(view.split('.')[0] as string) ?? page;
}

/**
 * Returns the reason, as one line, why a site must not start with this `appsHost`: cookies shared
 * with the site, frames that browsers block, or no origin at all (security rule 4).
 */
export function appsHostProblem({ siteOrigin, appsHost }: Origins): string | undefined {
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

// Hashed: ids have characters that host names cannot have, and no app chooses a look-alike name.
function hostLabel(app: string, registration: string): string {
  return hash('sha256', registration === '' ? app : `${app} ${registration}`, 'hex').slice(0, 32);
}
