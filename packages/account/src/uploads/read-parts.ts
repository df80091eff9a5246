import { once } from 'node:events';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { SocialError } from '@gantry/wire';
import type { Texts } from '../messages/texts.ts';

/** Part of a form with files. A file is read before the next part is asked for, or skipped. */
export type FormPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly fileName: string; readonly content: AsyncIterable<Uint8Array> };

export interface PartsOptions {
  /** `Content-Type` of the form, with its boundary. */
  readonly type: string;
  readonly maxBytes: number;
  readonly texts: Texts;
}

const maxParts = 100;
/** Bytes of a part's headers that are read; the rest is left out. */
const headerBytes = 16 * 1024;
const fieldBytes = 4 * 1024;

/**
 * Yields the parts of a `multipart/form-data` body as they arrive. No file is held: while one is
 * not read, its sender waits.
 *
 * @throws SocialError TOO_LARGE, BAD_REQUEST; those of the body as they are.
 * @see RFC 7578
 */
export async function* readParts(
  body: AsyncIterable<Uint8Array>,
  { type, maxBytes, texts }: PartsOptions,
): AsyncGenerator<FormPart, void> {
  const parser = openParser(type, texts);
  const parts: (FormPart & { readonly stream?: BusboyFileStream })[] = [];
  const files = new Set<BusboyFileStream>();
  let failure: SocialError | undefined;
  let isEnded = false;
  let news = Promise.withResolvers<void>();

  function fail(cause: unknown): void {
    failure ??= cause instanceof SocialError ? cause : incomplete(texts, cause);
    for (const file of files) file.destroy(failure);
    news.resolve();
  }

  async function feed(): Promise<void> {
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw formTooLarge(texts, maxBytes);
      if (failure) return;
      if (!parser.write(chunk)) await once(parser, 'drain');
    }
    parser.end();
  }

  parser
    .on('field', (name: string, value: string) => {
      parts.push({ name, value });
      news.resolve();
    })
    .on('file', (name: string, stream: BusboyFileStream, fileName?: string) => {
      files.add(stream);
      stream.on('error', fail).on('close', () => files.delete(stream));
      parts.push({ name, fileName: fileName ?? '', content: stream.iterator({ destroyOnReturn: false }), stream });
      news.resolve();
    })
    .on('partsLimit', () => fail(new SocialError('BAD_REQUEST', texts.say('upload.parts', { count: maxParts }))))
    .on('error', fail)
    .on('finish', () => {
      isEnded = true;
      news.resolve();
    });
  feed().catch(fail);

  try {
    for (;;) {
      if (failure) throw failure;
      const part = parts.shift();
      if (part) {
        const { stream, ...rest } = part;
        yield rest;
        stream?.resume(); // discards the rest
      } else if (isEnded) return;
      else {
        await news.promise;
        news = Promise.withResolvers();
      }
    }
  } finally {
    fail(new Error('The reader left.'));
    parser.destroy();
  }
}

function openParser(type: string, texts: Texts): BusboyInstance {
  const limits = { parts: maxParts, headerSize: headerBytes, headerPairs: 20, fieldSize: fieldBytes };
  try {
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch (cause) {
    throw incomplete(texts, cause);
  }
}

function incomplete(texts: Texts, cause: unknown): SocialError {
  return new SocialError('BAD_REQUEST', texts.say('form.incomplete'), { cause });
}

export function formTooLarge(texts: Texts, maxBytes: number): SocialError {
  return new SocialError('TOO_LARGE', texts.say('upload.formTooLarge', { megabytes: maxBytes / 2 ** 20 }));
}
