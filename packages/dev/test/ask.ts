import { type IncomingHttpHeaders, request } from 'node:http';

export interface Asked {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names as they were sent, with their values, in their order. */
  readonly lines: readonly (readonly [string, string])[];
  readonly text: string;
}

/** Asks a server for a path exactly as it is written: `fetch` would tidy it up first. */
export function ask(
  origin: string,
  path: string,
  { method = 'GET', headers = {} }: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Asked> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { rawHeaders, statusCode = 0 } = answer;
      const names = rawHeaders.filter((_, index) => index % 2 === 0);
      resolve({
        status: statusCode,
        headers: answer.headers,
        lines: names.map((name, index) => [name, rawHeaders[index * 2 + 1] as string] as const),
        text: Buffer.concat(chunks).toString(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
