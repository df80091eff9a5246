const mostCharacters = 64 * 1024;

/**
 * Makes a body of lines: one text where all are ready before this process turns to other work, as those that are kept are;
 * else a stream, which sends what is ready and costs as much as several calls.
 */
export async function linesBody(lines: AsyncGenerator<string>): Promise<string | ReadableStream<Uint8Array>> {
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
    await lines.return(undefined); // a reader that goes away stops the rest from starting
  }
}
