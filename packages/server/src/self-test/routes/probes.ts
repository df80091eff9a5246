import { appHeaders } from '@gantry/proxy';
import { dataBlock } from './inline.ts';

/**
 * Builds an app's headers for a document of another site. Anything that it sends to this site it
 * could send anywhere.
 */
export function strangerHeaders(options: {
  readonly siteOrigin: string;
  readonly ownHost: boolean;
}): Record<string, string> {
  const { siteOrigin, ownHost } = options;
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

/** Builds a probe's document, with an inline script: foreign documents load nothing from here. */
export function appDocument(options: {
  readonly script: string;
  readonly setup: unknown;
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
