/** Yields each line of an NDJSON body as soon as it is complete, without empty ones. */
export async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.getReader(); // not `for await`: Safari cannot iterate streams
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = done ? '' : (lines.pop() as string);
    yield* lines.filter((line) => line !== '');
    if (done) return;
  }
}
