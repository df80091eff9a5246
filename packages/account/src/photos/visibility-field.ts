import { type Html, type LevelIndex, levelIndex, levels } from '@gantry/service/pages';
import { html } from 'hono/html';
import type { Texts } from '../messages/texts.ts';

const levelTexts = {
  album: ['level.album.site', 'level.album.friends', 'level.private'],
  photo: ['level.photo.site', 'level.photo.friends', 'level.private'],
} as const;

/** Renders the choice of who may see an album, or a photo in one, as the field `visibility`. */
export function visibilityField(
  texts: Texts,
  { of, chosen }: { readonly of: 'album' | 'photo'; readonly chosen: LevelIndex },
): Html {
  return html`<fieldset class="field"><legend>${texts.say('level.who')}</legend>${levels.map(
    (level, index) =>
      html`<label class="choice"><input type="radio" name="visibility" value="${level}"${index === chosen && html` checked`}><span>${texts.say(levelTexts[of][index as LevelIndex])}</span></label>`,
  )}</fieldset>`;
}

/** Returns the level that was chosen; `undefined` for text that is no level. */
export function chosenLevel(form: URLSearchParams): LevelIndex | undefined {
  const given = levels.find((level) => level === form.get('visibility'));
  return given && levelIndex(given);
}

/** Renders a tag on things that only some members see. */
export function levelTag(texts: Texts, level: LevelIndex): Html | undefined {
  if (level === 0) return undefined;
  return html`<span class="tag">${texts.say(level === 1 ? 'level.album.friends' : 'level.private')}</span>`;
}
