import { writeFailure } from '@gantry/service';
import type { SocialError } from '@gantry/wire';

/** A refusal in the format that its request asks for. */
export function failureResponse(error: SocialError, rawTarget: string): Response {
  const { type, text } = writeFailure(error, rawTarget);
  const headers: Record<string, string> = { 'Content-Type': type, 'Cache-Control': 'no-store' };
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter);
  return new Response(text, { status: error.status, headers });
}
