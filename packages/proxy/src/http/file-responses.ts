import { createHash, hash } from 'node:crypto';
import { FileChanged, fileChunkBytes, type OpenFile } from '@gantry/store';
import type { HttpBody, HttpResponse } from '@gantry/wire';
import { createGate } from '@gantry/wire/runtime';
import { LRUCache } from 'lru-cache';
import { acceptedCodings, type Coding } from './accepted-codings.ts';
import { requestedRange } from './byte-range.ts';
import { createPackedFiles, type PackedCoding } from './packed-files.ts';
import { isUnchanged } from './responses.ts';

/** Caching of a file whose address changes with its content. */
export const immutable = 'public, max-age=31536000, immutable';

/** An open file that is about to be sent. */
export interface SentFile extends Pick<OpenFile, 'size' | 'isSettled' | 'chunks' | 'body' | 'close'> {
  readonly contentType: string;
  /** Path and version. Absent: the content is made for each request, so it is not compressed. */
  readonly version?: string | undefined;
}

/** A file whose digest is known before it is opened, and whose compressed forms are kept. */
export interface KnownFile extends Pick<OpenFile, 'size' | 'body'> {
  readonly contentType: string;
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
  /** Returns the bytes of a compressed form, if that is known at once. */
  sizeOfPacked(coding: PackedCoding): number | undefined;
  /** Resolves with `undefined` for a form that is not smaller, or would take long. */
  openPacked(coding: PackedCoding): Promise<{ readonly size: number; body(): Promise<HttpBody> } | undefined>;
}

/**
 * Answers `GET` and `HEAD` with a file, and closes it: 200, 206, 304 or 416. `HEAD` reads nothing:
 * it says what is known.
 *
 * @param headers Further headers. Those of a document are part of its validator.
 * @throws FileChanged
 */
export type RespondWithFile = (
  request: Pick<Request, 'method' | 'headers'>,
  file: SentFile | KnownFile,
  headers: Readonly<Record<string, string>>,
) => Promise<HttpResponse>;

/** Makes the responses of files, with one cache of digests and compressed contents. */
export function createFileResponses(options?: { readonly keptBytes?: number }): RespondWithFile {
  const digests = new LRUCache<string, string>({ max: 10_000 });
  const underway = new Map<string, Promise<string>>();
  const inTurn = createGate({ atOnce: 2 });
  const packedFiles = createPackedFiles(options);

  function digestOf(file: SentFile): Promise<string> {
    const { version, isSettled } = file;
    if (version === undefined || !isSettled) return inTurn(() => readDigest(file));
    const pending = underway.get(version);
    if (pending !== undefined) return pending;
    const made = inTurn(async () => {
      const digest = await readDigest(file);
      digests.set(version, digest);
      return digest;
    }).finally(() => underway.delete(version));
    underway.set(version, made);
    return made;
  }

  /** Returns the compressed forms of an open file; an empty one would not be smaller. */
  function packedForms(file: SentFile, digest: string): Pick<KnownFile, 'sizeOfPacked' | 'openPacked'> {
    const content = { digest, size: file.size, read: () => readContent(file, digest) };
    return {
      sizeOfPacked: (coding) => packedFiles.find(content, coding)?.length,
      async openPacked(coding) {
        const bytes = await packedFiles.make(content, coding);
        return bytes && { size: bytes.length, body: async () => inChunks(bytes) };
      },
    };
  }

  async function answer(...[request, file, given]: Parameters<RespondWithFile>): Promise<HttpResponse> {
    const isHead = request.method === 'HEAD';
    const isKnown = 'digest' in file;
    const digest = isKnown
      ? Buffer.from(file.digest, 'hex').toString('base64url').slice(0, tagLength)
      : (digests.get(file.version ?? '') ?? (isHead ? undefined : await digestOf(file)));
    const canPack = isCompressible(file.contentType);
    const codings: readonly Coding[] =
      canPack && (isKnown || file.version !== undefined)
        ? acceptedCodings(request.headers.get('accept-encoding'))
        : ['identity'];
    const vary = [given.Vary, canPack ? 'Accept-Encoding' : undefined].filter((name) => name !== undefined);
    const headers = {
      ...given,
      'Content-Type': file.contentType,
      ...(vary.length > 0 && { Vary: vary.join(', ') }),
    };
    const tag = digest && (isDocument(file.contentType) ? shortHash(digest + JSON.stringify(headers)) : digest);
    const etagOf = (coding: Coding) => (coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`);

    const current = tag && codings.map(etagOf).find((etag) => isUnchanged(request, etag));
    if (current) return { status: 304, headers: { ...headers, ETag: current }, body: null };
    const plain = { ...headers, 'Accept-Ranges': 'bytes', ...(tag && { ETag: etagOf('identity') }) };
    const range = requestedRange(request, { size: file.size, etag: etagOf('identity') });
    if (range === 'unsatisfiable') {
      const unsatisfied = {
        'Cache-Control': 'no-cache',
        'Content-Range': `bytes */${file.size}`,
        'Content-Length': '0',
      };
      return { status: 416, headers: { ...plain, ...unsatisfied }, body: null };
    }
    if (range) {
      const { start, end } = range;
      const part = { 'Content-Range': `bytes ${start}-${end - 1}/${file.size}`, 'Content-Length': String(end - start) };
      return { status: 206, headers: { ...plain, ...part }, body: await file.body(range) };
    }
    const [coding = 'identity'] = codings;
    if (digest && coding !== 'identity') {
      const forms = isKnown ? file : packedForms(file, digest);
      const form = isHead ? undefined : await forms.openPacked(coding);
      const size = isHead ? forms.sizeOfPacked(coding) : form?.size;
      if (size) {
        const coded = { ETag: etagOf(coding), 'Content-Encoding': coding, 'Content-Length': String(size) };
        return { status: 200, headers: { ...headers, ...coded }, body: form ? await form.body() : null };
      }
    }
    const length = { 'Content-Length': String(file.size) };
    return { status: 200, headers: { ...plain, ...length }, body: isHead ? null : await file.body() };
  }

  return async (request, file, headers) => {
    let isSent = false;
    try {
      const response = await answer(request, file, headers);
      isSent = response.body !== null && !response.headers['Content-Encoding'];
      return response;
    } finally {
      if (!isSent && 'close' in file) await file.close(); // otherwise its body closes it
    }
  };
}

async function readDigest(file: SentFile): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of file.chunks()) digest.update(chunk);
  return digest.digest('base64url').slice(0, tagLength);
}

async function readContent(file: SentFile, digest: string): Promise<Uint8Array> {
  const chunks = [];
  for await (const chunk of file.chunks()) chunks.push(chunk);
  const content = Buffer.concat(chunks);
  if (shortHash(content) !== digest) throw new FileChanged('The file was changed after it was hashed.');
  return content;
}

const tagLength = 22; // 132 bits

function shortHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, tagLength);
}

/** A page, or a picture with scripts: what a frame shows is kept apart by its headers. */
export function isDocument(contentType: string): boolean {
  return /^(?:text\/html|image\/svg)/.test(contentType);
}

function isCompressible(contentType: string): boolean {
  return /^(?:text\/|application\/(?:json|wasm)|image\/(?:svg|bmp|x-icon)|font\/[ot]tf)/.test(contentType);
}

// Chunks of kept bytes: what is sent counts as a file does, however many read the same.
function inChunks(bytes: Uint8Array): HttpBody {
  if (bytes.length <= fileChunkBytes) return bytes;
  let position = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(position, position + fileChunkBytes));
        position += fileChunkBytes;
        if (position >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
