import type { Story } from '@gantry/lab';
import { closest } from '@gantry/wire/runtime';

/** Validates the values of one member of a story. */
interface Member {
  /** Completes "… must be": `light or dark`. */
  readonly expected: string;
  readonly isFit: (value: unknown) => boolean;
  /** Allowed values, for a suggestion. */
  readonly words?: readonly string[];
}

const longestText = 2_000;
const maxStateBytes = 64 * 1024; // the limit of an app's state

const members: Readonly<Record<keyof Story, Member>> = {
  title: text('a text of at most 200 characters', 200),
  world: {
    expected: 'the name of a world, a path that begins with ./ or ../, or a function that makes a world',
    isFit: (value) => typeof value === 'function' || isText(value, longestText),
  },
  persona: text("a member's id, or nobody", 200),
  owner: text("a member's id", 200),
  view: { expected: 'the name of a view', isFit: (value) => /^[\w.-]{1,64}$/.test(String(value)) && isText(value, 64) },
  params: { expected: 'an object of at most 20 texts', isFit: isParams },
  width: number('a number of CSS pixels from 120 to 2560', 120, 2_560),
  theme: word('light', 'dark'),
  contrast: word('normal', 'more'),
  motion: word('full', 'reduce'),
  direction: word('ltr', 'rtl'),
  locale: { expected: 'a language tag such as de or pt-BR', isFit: (value) => isText(value, 100) && isLocale(value) },
  timeZone: {
    expected: 'a time zone such as Europe/Berlin',
    isFit: (value) =>
      isText(value, 100) && isTrue(() => new Intl.DateTimeFormat('en', { timeZone: value }) !== undefined),
  },
  network: word('fast', 'slow', 'offline', 'fail-once'),
  clock: number('a number of seconds', -1e10, 1e10),
  permissions: {
    expected: 'all, none, or without: and the name of a permission',
    isFit: (value) => value === 'all' || value === 'none' || /^without:.{1,200}$/.test(String(value)),
    words: ['all', 'none'],
  },
  api: word('1.2', '0.9.3'),
  albums: { expected: 'true or false', isFit: (value) => typeof value === 'boolean' },
  interval: number('a number of seconds, 0 or more', 0, 1e9),
  state: { expected: `plain data of at most ${maxStateBytes} bytes as JSON`, isFit: isState },
};

/**
 * Returns the problems of a story or of props, a sentence for each member.
 *
 * @example
 * storyFaults({ theme: 'drak' });
 * // ['theme is "drak", but must be light or dark. Did you mean "dark"?']
 */
export function storyFaults(story: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(story).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const member = Object.hasOwn(members, name) ? members[name as keyof Story] : undefined;
    if (!member) {
      return [`There is no member ${quoted(name)} in a story.${guess(name, Object.keys(members))}`];
    }
    if (member.isFit(value)) return [];
    return [`${name} is ${quoted(value)}, but must be ${member.expected}.${guess(value, member.words ?? [])}`];
  });
}

/** Returns a suggestion with a space before it, or an empty text. */
export function guess(given: unknown, words: readonly string[]): string {
  const meant = typeof given === 'string' ? closest(given, words) : undefined;
  return meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
}

function quoted(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 80);
  } catch {
    return `a ${typeof value} that is no plain data`;
  }
}

function word(...words: readonly string[]): Member {
  const last = words.at(-1);
  return {
    expected: `${words.slice(0, -1).join(', ')} or ${last}`,
    isFit: (value) => words.includes(value as string),
    words,
  };
}

function text(expected: string, longest: number): Member {
  return { expected, isFit: (value) => isText(value, longest) };
}

function number(expected: string, least: number, most: number): Member {
  return { expected, isFit: (value) => typeof value === 'number' && value >= least && value <= most };
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest;
}

function isParams(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  const isShort = entries.length <= 20 && entries.flat().join('').length <= longestText;
  return isShort && entries.every(([, text]) => typeof text === 'string');
}

function isState(value: unknown): boolean {
  return isTrue(() => {
    const json: string | undefined = JSON.stringify(value);
    return json !== undefined && Buffer.byteLength(json) <= maxStateBytes;
  });
}

function isLocale(tag: string): boolean {
  return isTrue(() => Intl.getCanonicalLocales(tag).length === 1);
}

/** Returns false for a check that throws, too. */
function isTrue(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
