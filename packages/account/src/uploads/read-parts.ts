import { once } from 'node:events';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { SocialError } from '@gantry/wire';

/** Part of a form with files. A file is read before the next part is asked for, or skipped. */
export type FormPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly fileName: string; readonly content: AsyncIterable<Uint8Array> };

/** Makes the errors of a form, with texts for the member. */
export interface FormErrors {
  readonly incomplete: (cause: unknown) => SocialError;
  readonly tooLarge: () => SocialError;
  readonly tooManyParts: (count: number) => SocialError;
}

export interface PartsOptions {
  /** `Content-Type` of the form, with its boundary. */
  readonly type: string;
  readonly maxBytes: number;
  readonly errors: FormErrors;
}

const maxParts = 100;
/** Bytes of a part's headers that are read; the rest is left out. */
const headerBytes = 16 * 1024;
const fieldBytes = 4 * 1024;

/**
 * Yields the parts of a `multipart/form-data` body as they arrive. No file is held: while one is
 * not read, its sender waits.
 *
 * @throws SocialError of `errors`; those of the body as they are.
 * @see RFC 7578
 */
export async function* readParts(
  body: AsyncIterable<Uint8Array>,
  { type, maxBytes, errors }: PartsOptions,
): AsyncGenerator<FormPart, void> {
  const parser = openParser(type, errors);
  const found: (FormPart & { readonly stream?: BusboyFileStream })[] = [];
  const files = new Set<BusboyFileStream>();
  let failure: SocialError | undefined;
  let isEnded = false;
  let news = Promise.withResolvers<void>();

  function fail(cause: unknown): void {
    failure ??= cause instanceof SocialError ? cause : errors.incomplete(cause);
    for (const file of files) file.destroy(failure);
    news.resolve();
  }

  async function feed(): Promise<void> {
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw errors.tooLarge();
      if (failure) return;
      if (!parser.write(chunk)) await once(parser, 'drain');
    }
    parser.end();
  }

  parser
    .on('field', (name: string, value: string) => {
      found.push({ name, value });
      news.resolve();
    })
    .on('file', (name: string, stream: BusboyFileStream, fileName?: string) => {
      files.add(stream);
      stream.on('error', fail).on('close', () => files.delete(stream));
      found.push({ name, fileName: fileName ?? '', content: stream.iterator({ destroyOnReturn: false }), stream });
      news.resolve();
    })
    .on('partsLimit', () => fail(errors.tooManyParts(maxParts)))
    .on('error', fail)
    .on('finish', () => {
      isEnded = true;
      news.resolve();
    });
  feed().catch(fail);

  try {
    for (;;) {
      if (failure) throw failure;
      const part = found.shift();
      if (part) {
        const { stream, ...rest } = part;
        yield rest;
        stream?.resume(); // what was not read of it
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

function openParser(type: string, { incomplete }: FormErrors): BusboyInstance {
  const limits = { parts: maxParts, headerSize: headerBytes, headerPairs: 20, fieldSize: fieldBytes };
  try {
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch (cause) {
    throw incomplete(cause);
  }
}
