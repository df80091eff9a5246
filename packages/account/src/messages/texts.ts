import { isolatedName } from '@gantry/wire';
import { chooseLanguage, type Language } from '@gantry/wire/texts';
import { html } from 'hono/html';
import { de } from './de.ts';
import { en, type Messages, type TextKey } from './en.ts';
import { fr } from './fr.ts';
import type { Html } from './html.ts';

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;
type Values<Key extends TextKey, Value> = [Placeholder<(typeof en)[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholder<(typeof en)[Key]>, Value>>];
/** Keys of texts that depend on a number, without `.one` and `.other`. */
type CountKey = TextKey extends infer Key ? (Key extends `${infer Base}.other` ? Base : never) : never;

/** Texts of one request, in the language that its browser asks for. */
export interface Texts {
  readonly language: Language;
  /** Returns a text with its placeholders filled, numbers in its language and names isolated. */
  say<Key extends TextKey>(key: Key, ...values: Values<Key, string | number>): string;
  /** Fills placeholders with HTML; the text itself and strings are escaped. */
  rich<Key extends TextKey>(key: Key, ...values: Values<Key, Html | string>): Html;
  /** Returns the form of a text for `count` things. */
  count(key: CountKey, count: number): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** Returns a date on the calendar of `timeZone`. */
  date(atMs: number, timeZone: string): string;
}

export const messagesByLanguage: Readonly<Record<Language, Messages>> = { en, de, fr };

/** @param acceptLanguage Header of that name. English where it names no language that there is. */
export function createTexts(acceptLanguage: string | null): Texts {
  const language = chooseLanguage(acceptLanguage ?? '');
  const messages = messagesByLanguage[language];
  const number = (value: number, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(language, options).format(value);
  const fill = (text: string, values: Readonly<Record<string, string | number>> = {}) =>
    text.replace(placeholder, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? number(value) : isolatedName(value);
    });
  return {
    language,
    say: (key, ...[values]) => fill(messages[key], values),
    rich(key, ...[values = {}]) {
      const parts = messages[key].split(placeholder); // every second part is a name
      const filled: Readonly<Record<string, Html | string>> = values;
      return html`${parts.map((part, index) => (index % 2 === 0 ? part : (filled[part] ?? '')))}`;
    },
    count(key, count) {
      const form = new Intl.PluralRules(language).select(count) === 'one' ? 'one' : 'other';
      return fill(messages[`${key}.${form}`], { count });
    },
    number,
    date: (atMs, timeZone) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(atMs),
  };
}

const placeholder = /\{(\w+)\}/g;
