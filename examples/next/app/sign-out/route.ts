import { cookies } from 'next/headers';
import { endSession, sessionCookie } from '../../site/sessions.ts';

export async function POST(): Promise<Response> {
  const jar = await cookies();
  endSession(jar.get(sessionCookie)?.value ?? '');
  jar.delete(sessionCookie);
  return new Response(null, { status: 303, headers: { Location: '/' } });
}
