import { appHeaders } from '../document-headers.ts';
import { dataBlock } from './data-block.ts';

/**
 * Headers of an app whose own server and whose site are elsewhere: to such a document this site is a stranger, so whatever it
 * sends here shows what it could send anywhere. The same list as for any app, with other addresses in it.
 */
export function strangerHeaders({
  siteOrigin,
  ownHost,
}: {
  readonly siteOrigin: string;
  readonly ownHost: boolean;
}): Record<string, string> {
  const elsewhere = { documentOrigin: 'https://app.invalid', siteOrigin: 'https://site.invalid' };
  const headers = appHeaders({ ...elsewhere, mediaOrigins: [], hosts: [], storage: false, ownHost });
  return {
    ...headers,
    'Content-Security-Policy': replaced(headers['Content-Security-Policy'], {
      'frame-ancestors https://site.invalid': `frame-ancestors ${siteOrigin}`,
    }),
    'Connection-Allowlist': replaced(headers['Connection-Allowlist'], { 'response-origin': '"https://app.invalid"' }),
  };
}

/** Of the controls, which may do what they want, where no other site shows them. */
export function barePolicy(siteOrigin: string): string {
  return `frame-ancestors ${siteOrigin}`;
}

/** A probe: what it tries stands in its query, and its script within it, since strangers load nothing from here. */
export function appDocument(options: {
  readonly script: string;
  readonly setup: unknown;
  /** Address of the SDK. */
  readonly sdk?: string;
}): string {
  const { script, setup, sdk } = options;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Probe</title>${dataBlock('setup', setup)}${
    sdk === undefined ? '' : `<script src="${sdk}"></script>`
  }<body><script type="module">${script.replaceAll('</script', '<\\/script')}</script>`;
}

function replaced(text = '', changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((whole, [old, one]) => whole.replace(old, one), text);
}
