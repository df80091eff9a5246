import type { Answer } from '../../exchange.ts';
import { askToSignIn } from '../shell.ts';
import type { Desk, MemberVisit, Methods, Visit } from '../visit.ts';

/** Methods of a page that is for members only; others are asked to sign in. */
export function asMember(
  desk: Desk,
  methods: Omit<Methods, Verb> & { readonly [Name in Verb]?: (visit: MemberVisit) => Promise<Answer> },
): Methods {
  const only = (method: (visit: MemberVisit) => Promise<Answer>) => (visit: Visit) => {
    const { member } = visit;
    return member ? method({ ...visit, member }) : askToSignIn(desk, visit);
  };
  const { get, post, again, put, ...rest } = methods;
  return {
    ...rest,
    ...(get && { get: only(get) }),
    ...(post && { post: only(post) }),
    ...(again && { again: only(again) }),
    ...(put && { put: only(put) }),
  };
}

type Verb = 'get' | 'post' | 'again' | 'put';
