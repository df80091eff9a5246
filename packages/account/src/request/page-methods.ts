import type { HttpResponse } from '@gantry/wire';
import type { PageRequest } from './page-request.ts';

export type Handle<Request = PageRequest> = (request: Request) => Promise<HttpResponse>;

/** Methods of one address. `HEAD` is answered as `GET`. */
export interface PageMethods<Request = PageRequest> {
  readonly get?: Handle<Request>;
  readonly post?: Handle<Request>;
  /**
   * Shows the page of `post` again with all that was typed, for a form that was sent within half a
   * second. Present where one click is enough to change something; absent where it takes typing, or
   * does no harm.
   */
  readonly tooSoon?: Handle<Request>;
  /** True if the form of `post` comes with files. Only members send any. */
  readonly takesFiles?: boolean;
  /** Takes a file as the body; the token is `x-form-token`, failures are answered as JSON. */
  readonly put?: Handle<Request>;
}

/** Returns the HTTP methods of a page, without `HEAD`. */
export function methodsOf({ get, post, put }: PageMethods): string[] {
  return [...(get ? ['GET'] : []), ...(post ? ['POST'] : []), ...(put ? ['PUT'] : [])];
}

/** Returns the methods with each handler changed by `change`. */
export function mapMethods<From, To>(
  { get, post, tooSoon, put, ...rest }: PageMethods<From>,
  change: (handle: Handle<From>) => Handle<To>,
): PageMethods<To> {
  return {
    ...rest,
    ...(get && { get: change(get) }),
    ...(post && { post: change(post) }),
    ...(tooSoon && { tooSoon: change(tooSoon) }),
    ...(put && { put: change(put) }),
  };
}

/** Returns 303: the browser goes on with GET, and a reload repeats nothing. */
export function seeOther(location: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...headers }, body: null };
}
