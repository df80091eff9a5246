import { request } from 'node:http';

/**
 * Forwards a request unchanged, with its `Host` and unparsed body, and streams the response back.
 */
export function passOn(incoming, outgoing, { host, port }) {
  const onward = request({ host, port, method: incoming.method, path: incoming.url, headers: incoming.headers });
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode, answer.rawHeaders);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
