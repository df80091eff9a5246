import { SocialError } from '@gantry/wire';
import { formTokenName } from '../http/forms.ts';
import type { Texts } from '../messages/texts.ts';
import { type FormPart, formTooLarge, readParts } from './read-parts.ts';

export interface SentFile {
  /** Name from outside, without folders. */
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

const maxBytes = 32 * 2 ** 20;

/**
 * Begins to read a form with files, for browsers without scripts: the token is its first field.
 *
 * @throws SocialError TOO_LARGE, BAD_REQUEST, also while `files` are read.
 */
export async function readFilesForm(
  { headers }: Request,
  { body, texts }: { readonly body: AsyncIterable<Uint8Array>; readonly texts: Texts },
) {
  const parts = readParts(body, { type: headers.get('content-type') ?? '', maxBytes, texts });
  const first = await parts.next();
  /** The form's token; empty if the form does not begin with it. */
  const token = !first.done && 'value' in first.value && first.value.name === formTokenName ? first.value.value : '';
  return { token, files: filesOf(parts) };
}

/** @throws SocialError UNSUPPORTED_MEDIA_TYPE, TOO_LARGE for forms that need not be read. */
export function refuseOtherForms({ headers }: Request, texts: Texts): void {
  if (!/^multipart\/form-data\s*;/i.test(headers.get('content-type') ?? '')) {
    throw new SocialError('UNSUPPORTED_MEDIA_TYPE', texts.say('form.type', { type: 'multipart/form-data' }));
  }
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw formTooLarge(texts, maxBytes);
}

/** Files of a request without any. */
export async function* noFiles(): AsyncGenerator<SentFile, void> {}

// A field in which no file was chosen comes as a file without name.
async function* filesOf(parts: AsyncIterable<FormPart>): AsyncGenerator<SentFile, void> {
  for await (const part of parts) {
    if (!('fileName' in part) || part.fileName === '') continue;
    yield { name: part.fileName.replaceAll('%22', '"'), content: part.content }; // as browsers encode it
  }
}
