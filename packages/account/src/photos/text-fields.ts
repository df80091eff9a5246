import type { Html } from '@gantry/service/pages';
import { html } from 'hono/html';
import type { PageRequest } from '../http/page-request.ts';
import type { Texts } from '../messages/texts.ts';
import type { Described } from './owned-rows.ts';
import { chosenLevel } from './visibility-field.ts';

export const longest = { title: 200, description: 2000 } as const;

/** Reads the fields that albums and photos have in common. `problem` is a text for the member. */
export function readTexts(
  { form, texts }: Pick<PageRequest, 'form' | 'texts'>,
  { needsTitle }: { readonly needsTitle: boolean },
): { readonly described: Described; readonly problem: string | undefined } {
  const title = (form.get('title') ?? '').trim();
  const description = (form.get('description') ?? '').trim().replaceAll('\r\n', '\n');
  const level = chosenLevel(form);
  return {
    described: { title, description, level: level ?? 2 },
    problem:
      needsTitle && title === ''
        ? texts.say('field.noTitle')
        : title.length > longest.title || description.length > longest.description
          ? texts.say('field.tooLong', longest)
          : level === undefined
            ? texts.say('level.unchosen')
            : undefined,
  };
}

/** Renders the fields of `readTexts`, without the level. */
export function textFields(
  texts: Texts,
  { title, description }: Described,
  { needsTitle, problem }: { readonly needsTitle: boolean; readonly problem: string | undefined },
): Html {
  return html`<div class="field"><label for="title">${texts.say(needsTitle ? 'field.title' : 'field.caption')}</label>
<input id="title" name="title" value="${title}" maxlength="${longest.title}" autocomplete="off" dir="auto"${needsTitle && html` required`}${
    problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`
  }>${problem !== undefined && html`<span id="problem" class="wrong" role="alert">${problem}</span>`}</div>
<div class="field"><label for="description">${texts.say('field.description')}</label>
<textarea id="description" name="description" rows="3" maxlength="${longest.description}" dir="auto">${description}</textarea></div>`;
}
