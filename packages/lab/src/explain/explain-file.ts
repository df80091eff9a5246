import { closest } from '@gantry/wire';
import type { LabEvent } from '../record/entry.ts';
import type { Explanation, Known } from './explanation.ts';
import { declares } from './manifest-line.ts';

/** Explains a file that did not load. A file that the policy blocked is another entry. */
export function explainFile(
  { element, address }: Extract<LabEvent, { kind: 'file' }>,
  { manifest, files = [] }: Known,
): Explanation | undefined {
  const about = { subject: address };
  if (!URL.canParse(address)) {
    if (files.includes(address)) return undefined; // the file exists, and its build reports why it fails
    const meant = nearMiss(address, files);
    return {
      ...{ id: 'file-missing', ...about },
      what: `${address || 'A file without a name'} is not in the app's folder: the ${element} element that names it stays empty.`,
      cure: meant ? `Did you mean ${meant}?` : 'Add the file, or mend its name; capitals count.',
      ...(meant && { example: meant }),
    };
  }
  const { origin, pathname, hostname } = new URL(address);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
  if (isLocal && /^\/(avatars|pictures|gantry\/media)\//.test(pathname)) {
    const oddity = pathname === '/pictures/gone.svg' ? ' (hostile/dead-item)' : '';
    return {
      ...{ id: 'picture-missing', ...about },
      what: `The site's data name the picture ${pathname}, which is not there${oddity}.`,
      cure: 'Listen for the error event of the img element, and show something in its place.',
    };
  }
  if (isLocal) {
    return {
      ...{ id: 'file-missing', ...about },
      what: `${pathname} is no file of the app: an address that begins with / leads to the site.`,
      cure: 'Name files relative to the page; only /gantry/osapi.js is there for apps.',
      example: `.${pathname}`,
    };
  }
  if (!declares(manifest, 'hosts', origin)) return undefined; // refused by the policy, which says so itself
  return {
    ...{ id: 'file-failed', ...about },
    what: `${address} did not load: its server does not have it, or sends no Access-Control-Allow-Origin.`,
    cure: "Mend the address, or save the file in the app's folder.",
  };
}

function nearMiss(name: string, files: readonly string[]): string | undefined {
  const last = name.split('/').at(-1)?.toLowerCase();
  const elsewhere = files.find((file) => file.split('/').at(-1)?.toLowerCase() === last);
  return elsewhere ?? closest(name, files.slice(0, 500));
}
