/**
 * Most bytes of one response, in its encoding and format (contract §8). The calls of a JSON-RPC
 * batch share it, and so do one app's calls in a request of the page.
 */
export const maxAnswerBytes = 4_000_000;
