import { writeFailure } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import type { Logger } from '@gantry/wire/runtime';
import type { Fetch } from './request-listener.ts';

/** Wraps `answer`: a `SocialError` keeps its message; others are logged and get a general one. */
export function answerFailures(answer: Fetch, log: Logger): Fetch {
  return async (request, rawTarget) => {
    try {
      return await answer(request, rawTarget);
    } catch (error) {
      if (error instanceof SocialError) return failureResponse(error, rawTarget);
      log.error({ err: error, method: request.method }, 'request failed');
      return failureResponse(new SocialError('INTERNAL', 'Something went wrong on our side.'), rawTarget);
    }
  };
}

/** Returns an error response in the format that its request asks for. */
function failureResponse(error: SocialError, rawTarget: string): Response {
  const { type, text } = writeFailure(error, rawTarget);
  const headers: Record<string, string> = { 'Content-Type': type, 'Cache-Control': 'no-store' };
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  return new Response(text, { status: error.status, headers });
}
