import { posix } from 'node:path';

/**
 * Prepares a page for Vite. Relative addresses of module scripts become relative to the app's base:
 * pages of each lab have another address, and a module with two addresses would run twice. Vite
 * ignores scripts and pictures of the site (`/gantry/…`).
 *
 * @param path Path of the page in the app's folder.
 */
export function withOwnScripts(html: string, path: string): string {
  return html.replace(/<(?:script|link|img)\b[^<>]*>/gi, (tag) => {
    const [attribute = '', quote = '', address = ''] = /\b(?:src|href)\s*=\s*(["'])(.*?)\1/i.exec(tag) ?? [];
    if (address.startsWith('/gantry/')) return tag.replace(/^<\w+/, '$& vite-ignore');
    if (!/^<script/i.test(tag) || !/\btype\s*=\s*["']?module/i.test(tag)) return tag;
    if (address === '' || /^(?:[a-z]+:|\/|#)/i.test(address)) return tag;
    const target = posix.join('/', posix.dirname(path), address);
    return tag.replace(attribute, () => `src=${quote}${target}${quote}`);
  });
}
