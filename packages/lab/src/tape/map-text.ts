import { parseJson } from '@gantry/wire';

/** Functions for the parts of a text. Spaces and punctuation between them stay. */
export interface TextParts {
  /** A run of letters and digits, also joined by `-` and `_`; or of at least four other signs. */
  word(word: string): string;
  /** Host of an address with its port, or domain of an e-mail address. */
  host(host: string): string;
  /** `YYYY-MM-DD` or `YYYY/MM/DD`. */
  day(day: string): string;
  /** ISO 8601, or milliseconds since the epoch as a number in JSON. */
  time(time: string): string;
}

const deepest = 4;
const letter = '[^\\s!-/:-@[-`{-~]';
const host = '[^\\s/?#"\'<>()\\\\,;]';
const time = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?';
// No alternative backtracks over more than a few signs.
const part = new RegExp(
  [
    `(?<time>${time})(?!${letter})|(?<day>\\d{4}([/-])\\d\\d\\3\\d\\d)(?!${letter})`,
    `(?:https?|wss?):(?=//${host})|//(?<authority>${host}+)`,
    '@(?<domain>[^\\s!-,./:-@[-`{-~]+(?:\\.[^\\s!-,./:-@[-`{-~]+)+)',
    `(?<word>${letter}+(?:[_-]+${letter}+)*|[!-/:-@[-\`{-~]{4,})`,
  ].join('|'),
  'gu',
);
const jsonToken = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Maps the parts of a text. Text that is JSON stays JSON of the same structure. */
export function mapText(text: string, parts: TextParts, level = 0): string {
  if (/^(?:true|false|null)$/.test(text)) return text;
  if (level < deepest && /^\s*["[{]/.test(text) && isJson(text)) {
    return text.replace(jsonToken, (token) => {
      if (token.startsWith('"')) return JSON.stringify(mapText(JSON.parse(token), parts, level + 1));
      return /^\d{13}$/.test(token) && isTime(Number(token)) ? parts.time(token) : token.replace(/\d+/g, parts.word);
    });
  }
  return text.replace(part, (whole: string, ...rest: unknown[]) => {
    const group = rest.at(-1) as Readonly<Record<'time' | 'day' | 'authority' | 'domain' | 'word', string | undefined>>;
    if (group.time !== undefined) return parts.time(whole);
    if (group.day !== undefined) return parts.day(whole);
    if (group.domain !== undefined) return `@${parts.host(group.domain)}`;
    if (group.word !== undefined) return parts.word(whole);
    return group.authority === undefined ? whole : `//${parts.host(group.authority)}`;
  });
}

function isJson(text: string): boolean {
  try {
    return parseJson(text) !== undefined;
  } catch {
    return false;
  }
}

/** Returns whether a number is a point in time: milliseconds since the epoch, 2001 to 2096. */
export function isTime(value: number): boolean {
  return Number.isInteger(value) && value >= 1e12 && value <= 4e12;
}
