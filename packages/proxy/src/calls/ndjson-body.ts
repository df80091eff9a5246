const mostCharacters = 64 * 1024;

/**
 * Builds a body of lines: a text if all lines are ready within this turn of the event loop, as
 * cached replies are; else a stream, which sends lines early but costs as much as several calls.
 */
export async function ndjsonBody(lines: AsyncGenerator<string>): Promise<string | ReadableStream<Uint8Array>> {
  const turned = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
  let text = '';
  while (text.length < mostCharacters) {
    const next = lines.next();
    const ready = await Promise.race([next, turned]);
    if (ready === undefined) return ReadableStream.from(pieces(text, next, lines));
    if (ready.done) return text;
    text += ready.value;
  }
  return ReadableStream.from(pieces(text, lines.next(), lines));
}

async function* pieces(
  text: string,
  next: Promise<IteratorResult<string>>,
  lines: AsyncGenerator<string>,
): AsyncGenerator<Uint8Array> {
  try {
    if (text !== '') yield Buffer.from(text);
    for (let result = await next; !result.done; result = await lines.next()) yield Buffer.from(result.value);
  } finally {
    await lines.return(undefined); // a client that disconnects keeps the rest from starting
  }
}
