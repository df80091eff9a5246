import type { PageContext } from '../http/page-context.ts';
import type { MemberMethods, PageMethods } from '../http/page-methods.ts';
import { mapMethods } from '../http/page-methods.ts';
import type { MemberRequest, PageRequest } from '../http/page-request.ts';
import { askToSignIn } from './account-page.ts';

/** Returns methods that ask visitors who are not signed in to do so first. */
export function membersOnly(context: PageContext, methods: MemberMethods): PageMethods {
  return mapMethods<MemberRequest, PageRequest>(methods, (handle) => (request) => {
    const { member } = request;
    return member ? handle({ ...request, member }) : askToSignIn(context, request);
  });
}
