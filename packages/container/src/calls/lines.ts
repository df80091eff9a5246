type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Yields each line of an NDJSON body as soon as it is complete, without empty ones. */
export async function* linesOf(body: Body): AsyncGenerator<string> {
  for await (const lines of partsOf(body, '\n', true)) yield* lines.filter((line) => line !== '');
}

/** Yields the parts that each chunk completes. @param keepsRest Also yields one without `end`. */
export async function* partsOf(body: Body, end: string, keepsRest = false): AsyncGenerator<readonly string[]> {
  const reader = body.getReader(); // not `for await`: Safari cannot iterate streams
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const parts = (rest + decoder.decode(value, { stream: !done })).split(end);
    rest = parts.pop() as string;
    yield done && keepsRest ? [...parts, rest] : parts;
    if (done) return;
  }
}
