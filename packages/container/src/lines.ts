/** Yields each line of an NDJSON body as soon as it is complete, however the network cut it. Empty lines are left out. */
export async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader(); // not `for await`: Safari cannot iterate streams
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() as string;
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}
