import { type Described, levelIndex, levels } from '@gantry/service/account';
import { shownName } from '@gantry/wire';
import { html } from 'hono/html';
import type { Html } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';
import type { PageRequest } from '../request/page-request.ts';

/** Fields as a member typed them, and a text about their fault, if any. */
export interface Typed {
  readonly described: Described;
  readonly problem?: string | undefined;
}

const longest = { title: 200, description: 2000 } as const;

const levelTexts = {
  album: ['level.album.site', 'level.album.friends', 'level.private'],
  photo: ['level.photo.site', 'level.photo.friends', 'level.private'],
} as const;

/** Reads the fields that albums and photos have in common. An album needs a title. */
export function readDescribed({ form, texts }: PageRequest, of: 'album' | 'photo'): Typed {
  const title = shownName((form.get('title') ?? '').trim());
  const description = (form.get('description') ?? '').trim().replaceAll('\r\n', '\n');
  const level = levels.find((one) => one === form.get('visibility'));
  const described = { title, description, level: level ? levelIndex(level) : 2 } as const;
  if (of === 'album' && title === '') return { described, problem: texts.say('field.noTitle') };
  if (title.length > longest.title || description.length > longest.description) {
    return { described, problem: texts.say('field.tooLong', longest) };
  }
  return { described, problem: level === undefined ? texts.say('level.unchosen') : undefined };
}

export function describedFields(texts: Texts, of: 'album' | 'photo', { described, problem }: Typed): Html {
  const { title, description, level: chosen } = described;
  const isWrong = problem !== undefined;
  return html`<div class="field"><label for="title">${texts.say(of === 'album' ? 'field.title' : 'field.caption')}</label>
<input id="title" name="title" value="${title}" maxlength="${longest.title}" autocomplete="off" dir="auto"${of === 'album' && html` required`}${
    isWrong && html` aria-invalid="true" aria-describedby="problem"`
  }>${isWrong && html`<span id="problem" class="wrong" role="alert">${problem}</span>`}</div>
<div class="field"><label for="description">${texts.say('field.description')}</label>
<textarea id="description" name="description" rows="3" maxlength="${longest.description}" dir="auto">${description}</textarea></div>
<fieldset class="field"><legend>${texts.say('level.who')}</legend>${levelTexts[of].map(
    (key, index) =>
      html`<label class="choice"><input type="radio" name="visibility" value="${levels[index]}"${index === chosen && html` checked`}><span>${texts.say(key)}</span></label>`,
  )}</fieldset>`;
}
