import { responseOf } from '@gantry/proxy';
import { fileChunkBytes } from '@gantry/store';
import type { HttpResponse } from '@gantry/wire';
import { type AnswerBytes, heldBytes } from '../edge/answer-bytes.ts';

/**
 * Makes a `Response` whose bytes count until it is read, cancelled or garbage-collected.
 *
 * @throws SocialError UNAVAILABLE if the answers together would be too large.
 */
export function heldResponse(answer: HttpResponse, request: Request, answers: AnswerBytes): Response {
  const bytes = request.method === 'HEAD' ? 0 : heldBytes(answer);
  if (bytes === 0) return responseOf(answer, request);
  const { status, headers, body } = answer;
  let release: () => void;
  try {
    release = answers.hold(bytes);
  } catch (error) {
    if (body instanceof ReadableStream) void body.cancel();
    throw error;
  }
  const isStream = body instanceof ReadableStream;
  const source = isStream ? body : slices(typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array));
  const length = isStream ? {} : { 'Content-Length': String(bytes) };
  return new Response(untilRead(source, release), { status, headers: { ...headers, ...length } });
}

/** Answers that nothing refers to any more: `fetch` was called, and its result dropped. */
const dropped = new FinalizationRegistry<() => void>((release) => release());

/** Passes a stream on as it is asked for, and calls `release` at its end, however it ends. */
function untilRead(source: AsyncIterable<Uint8Array>, release: () => void): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (!done) return controller.enqueue(value);
          release();
          controller.close();
        } catch (error) {
          release();
          throw error;
        }
      },
      async cancel() {
        release();
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 }, // no read-ahead
  );
  dropped.register(stream, release);
  return stream;
}

/** Copies of the parts of a body, which may be cached: the reader owns what it gets. */
async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += fileChunkBytes) {
    yield new Uint8Array(bytes.subarray(at, at + fileChunkBytes));
  }
}
