import { isRecord, SocialError } from '@gantry/wire';
import type { Json } from '../formats/read-json.ts';
import { isWithin, mostUrlCharacters } from './text-bounds.ts';

export interface NewActivity {
  /** 1 to 1,000 code points, stored unchanged. */
  readonly title: string;
  /** An absolute URL of the site, or a path on it, of at most 2,000 characters. */
  readonly url: string | undefined;
}

const mostTitleCharacters = 1_000;

/** Validates a post; ignores other fields (contract §2, §4). @throws SocialError BAD_REQUEST */
export function activityFields(body: Json, publicUrl: string): NewActivity {
  const { title, url } = isRecord(body) ? body : {};
  if (typeof title !== 'string' || !isWithin(title, mostTitleCharacters) || !/\S/.test(title)) {
    throw new SocialError('BAD_REQUEST', 'title must be text of 1 to 1,000 characters, not all of them white space.');
  }
  if (url === undefined) return { title, url };
  if (typeof url === 'string' && !isWithin(url, mostUrlCharacters)) {
    throw new SocialError('BAD_REQUEST', 'url must have at most 2,000 characters.');
  }
  if (typeof url !== 'string' || !isOnSite(url, publicUrl)) {
    throw new SocialError('BAD_REQUEST', `url must be an address on ${publicUrl}, or a path that begins with one "/".`);
  }
  return { title, url };
}

/** True for a URL on the site that no browser can read as another site's (contract §4). */
function isOnSite(url: string, publicUrl: string): boolean {
  // `URL` skips tabs and newlines and reads a backslash as a slash: `/\evil.example` leads away.
  if (/[\s\p{Cc}\\]/u.test(url)) return false;
  if (url.startsWith('/')) return !url.startsWith('//');
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) return false;
  const { hostname, port, username, password } = new URL(url);
  const site = new URL(publicUrl);
  const hasUserInfo = username !== '' || password !== '' || /^[^/]*\/\/[^/?#]*@/.test(url);
  return !hasUserInfo && hostname === site.hostname && (port === '' || port === site.port);
}
