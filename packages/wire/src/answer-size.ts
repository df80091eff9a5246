/**
 * Bytes that one answer has at most, in the encoding and the format that were asked for. The calls of a JSON-RPC batch share
 * it, as do one app's calls in a request of the page (contract §8).
 */
export const maxAnswerBytes = 4_000_000;
