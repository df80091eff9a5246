import type { HttpResponse } from '@gantry/wire';
import type { PageMethods } from '../http/page-methods.ts';
import type { MemberRequest } from '../http/page-request.ts';

type Verb = 'get' | 'post' | 'tooSoon' | 'put';

/** Methods of a page of one album or photo of the member's own. */
export type ItemMethods = Omit<PageMethods, Verb> & {
  readonly [Name in Verb]?: (request: MemberRequest, id: string) => Promise<HttpResponse>;
};
