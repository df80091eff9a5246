import { nameProblem, release } from '@gantry/wire';
import * as v from 'valibot';
import { jsonObject, listOf, shape } from '../http/validate.ts';
import { parseFilePath } from './app-path.ts';
import { compareVersions, semverPattern } from './semver.ts';

// Members of a gadget.json that describe its app. None of them is a permission.

export const maxTitle = 100;
export const maxDescription = 500;
export const maxVersion = 64;
export const maxUrl = 2_000;
export const maxCategories = 5;
export const maxLanguages = 50;
export const maxData = 1_000_000;

const mail = '[\\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){1,4}';
const url = 'https://[A-Za-z0-9.-]+(?::\\d{1,5})?(?:[/?#][!-~]*)?';

/** Patterns that the JSON Schema has, too. */
export const factPatterns = {
  version: semverPattern,
  icon: '^[^%.][^%]*\\.(?:[Pp][Nn][Gg]|[Ww][Ee][Bb][Pp]|[Ss][Vv][Gg])$',
  category: '^[a-z][a-z0-9-]{1,29}$',
  url: `^${url}$`,
  email: `^${mail}$`,
  support: `^(?:${url}|mailto:${mail})$`,
  language: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,7}$',
};

const version = `a version such as "1.4.2" (SemVer) of at most ${maxVersion} characters`;
const link = `an https address of at most ${maxUrl} characters`;
const semver = matching(factPatterns.version, version, { most: maxVersion });
const webAddress = matching(factPatterns.url, link, { isRight: URL.canParse });
const email = 'an e-mail address';
const support = `${link}, or "mailto:" and ${email}`;
const category = 'a word of 2 to 30 lower-case letters, digits and hyphens, such as "games"';
const language = 'a language tag such as "de" or "pt-BR"';
const data = `a whole number between 0 and ${maxData}`;
const tooNew = `at most ${release}, the version of this Gantry (update it to take this app)`;

const texts = v.strictObject(
  { name: v.optional(shownText('a title', maxTitle)), description: v.optional(shownText('a text', maxDescription)) },
  shape('an object with name and description', 'a language has only name and description'),
);

/** Members of a manifest that describe the app. */
export const factMembers = {
  version: v.optional(semver),
  data: v.optional(v.pipe(v.number(data), v.integer(data), v.minValue(0, data), v.maxValue(maxData, data)), 0),
  description: v.optional(shownText('a text', maxDescription)),
  icon: v.optional(
    filePath(/\.(?:png|webp|svg)$/i, 'the path of a PNG, WebP or SVG in the app\'s folder, such as "icon.svg"'),
  ),
  author: v.optional(
    v.strictObject(
      {
        name: shownText('a name', maxTitle),
        url: v.optional(webAddress),
        email: v.optional(matching(factPatterns.email, email)),
      },
      shape('an object with name', 'an author has only name, url and email'),
    ),
  ),
  categories: v.optional(listOf(matching(factPatterns.category, category), maxCategories)),
  website: v.optional(webAddress),
  support: v.optional(matching(factPatterns.support, support, { isRight: URL.canParse })),
  privacy: v.optional(webAddress),
  changelog: v.optional(webAddress),
  languages: v.optional(
    v.pipe(
      jsonObject,
      v.check((all) => Object.keys(all).length <= maxLanguages, `at most ${maxLanguages} languages with their texts`),
      v.record(matching(factPatterns.language, language), texts, 'languages with their texts'),
    ),
  ),
  minimumGantry: v.optional(
    v.pipe(
      semver,
      v.check((least) => compareVersions(least, release) <= 0, tooNew),
    ),
  ),
};

/** Returns the schema of a text that members see (security rule 38). */
export function shownText(what: string, most: number) {
  const message = `${what} of 1 to ${most} characters`;
  return v.pipe(
    v.string(message),
    v.regex(new RegExp(`^[^\\p{Cc}]{1,${most}}$`, 'u'), message),
    v.check(
      (text) => nameProblem(text) === undefined,
      `${what} that can be seen, without invisible characters or a pile of accents`,
    ),
  );
}

/** Returns the schema of a path in the app's folder, of a file that may be served. */
export function filePath(ending: RegExp, message: string) {
  return v.pipe(
    v.string(message),
    v.check((path) => ending.test(path) && !path.includes('%') && parseFilePath(path) !== undefined, message),
  );
}

function matching(
  pattern: string,
  message: string,
  { most = maxUrl, isRight = () => true }: { most?: number; isRight?: (text: string) => boolean } = {},
) {
  const form = new RegExp(pattern);
  return v.pipe(
    v.string(message),
    v.check((text) => text.length <= most && form.test(text) && isRight(text), message),
  );
}
