import { html } from 'hono/html';
import { type LevelIndex, levelIndex, levels } from '../../authorize.ts';
import type { Html } from '../layout.ts';

/** Texts of the three levels, of an album or of a photo in one. */
export type LevelTexts = readonly [site: string, friends: string, own: string];

export const albumLevels: LevelTexts = ['All members of the site', 'Friends', 'Only me'];
export const photoLevels: LevelTexts = ['Whoever sees the album', 'Friends who see the album', 'Only me'];

/** A choice of who may see something, as the field `visibility`. */
export function visibilityField(texts: LevelTexts, chosen: LevelIndex): Html {
  return html`<fieldset class="field"><legend>Who may see it</legend>${levels.map(
    (level, index) =>
      html`<label class="choice"><input type="radio" name="visibility" value="${level}"${index === chosen && html` checked`}><span>${texts[index as LevelIndex]}</span></label>`,
  )}</fieldset>`;
}

/** What was chosen; `undefined` for what is no level. */
export function chosenLevel(form: URLSearchParams): LevelIndex | undefined {
  const given = levels.find((level) => level === form.get('visibility'));
  return given && levelIndex(given);
}

/** Marks what not everybody sees. */
export function levelTag(level: LevelIndex): Html | undefined {
  return level === 0 ? undefined : html`<span class="tag">${level === 1 ? 'Friends' : 'Only me'}</span>`;
}
