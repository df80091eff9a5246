import { html } from 'hono/html';
import type { LevelIndex } from '../../authorize.ts';
import type { Html } from '../layout.ts';
import { chosenLevel } from './visibility.ts';

export const longest = { title: 200, description: 2000 } as const;

/** What a form says of an album or a photo. */
export interface Texts {
  readonly title: string;
  readonly description: string;
  readonly level: LevelIndex;
}

/** Reads the fields that albums and photos have in common. */
export function readTexts(
  form: URLSearchParams,
  { needsTitle }: { readonly needsTitle: boolean },
): { readonly texts: Texts; readonly problem: string | undefined } {
  const title = (form.get('title') ?? '').trim();
  const description = (form.get('description') ?? '').trim().replaceAll('\r\n', '\n');
  const level = chosenLevel(form);
  return {
    texts: { title, description, level: level ?? 2 },
    problem:
      needsTitle && title === ''
        ? 'Give the album a title.'
        : title.length > longest.title || description.length > longest.description
          ? `A title has at most ${longest.title} characters, a description ${longest.description}.`
          : level === undefined
            ? 'Choose who may see it.'
            : undefined,
  };
}

/** The fields of `readTexts`, without the level. */
export function textFields(
  { title, description }: Texts,
  { needsTitle, problem }: { readonly needsTitle: boolean; readonly problem: string | undefined },
): Html {
  return html`<div class="field"><label for="title">${needsTitle ? 'Title' : 'Caption'}</label>
<input id="title" name="title" value="${title}" maxlength="${longest.title}" autocomplete="off" dir="auto"${needsTitle && html` required`}${
    problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`
  }>${problem !== undefined && html`<span id="problem" class="wrong" role="alert">${problem}</span>`}</div>
<div class="field"><label for="description">Description</label>
<textarea id="description" name="description" rows="3" maxlength="${longest.description}" dir="auto">${description}</textarea></div>`;
}

const control = /\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu; // also what would turn the text around it

/** A caption from the name of a file, which is text of whoever sent it: no folders, no ending, no control characters. */
export function titleOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const text = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(control, '')
    .trim();
  return Array.from(text).slice(0, 100).join('').toWellFormed();
}
