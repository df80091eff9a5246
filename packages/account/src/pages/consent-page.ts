import { allowAuthorization, denyAuthorization, type Flow, type Pending, pendingAuthorization } from '@gantry/service';
import type { HttpResponse } from '@gantry/wire';
import { messagePage, signedInAs } from '../html/account-page.ts';
import { membersOnly } from '../html/members-only.ts';
import type { PageContext } from '../http/page-context.ts';
import { type PageMethods, seeOther } from '../http/page-methods.ts';
import type { MemberRequest } from '../http/page-request.ts';
import { questionPage } from './consent-question.ts';
import { verifierPage } from './verifier-page.ts';

/** Path of the page on which each flow of 3-legged OAuth asks its member (contract §1). */
export const consentPaths: Readonly<Record<Flow, string>> = {
  member: '/oauth/authorize',
  admin: '/admin/oauth/authorize',
};

/**
 * Makes the page on which a member, or in the flow `admin` an administrator, allows or denies what
 * a consumer asks (contract §5).
 */
export function consentPage(context: PageContext, flow: Flow): PageMethods {
  const { db, now, random } = context;
  const action = consentPaths[flow];
  const wanted = (token: string) => ({ token, flow, nowMs: now() });
  const pathOf = (token: string) => `${action}?${new URLSearchParams({ oauth_token: token })}`;

  /** Returns the page for a request that this member cannot allow. */
  function refusal(request: MemberRequest, token: string): Promise<HttpResponse> | undefined {
    if (token === '') return expiredPage(context, request);
    if (flow === 'admin' && !request.member.isAdmin) return administratorsOnly(context, request, pathOf(token));
    return undefined;
  }

  async function show(request: MemberRequest, token: string): Promise<HttpResponse> {
    const refused = refusal(request, token);
    if (refused !== undefined) return refused;
    const pending = await pendingAuthorization(db, wanted(token));
    return pending
      ? questionPage(context, request, { pending, action, path: pathOf(token) })
      : expiredPage(context, request);
  }

  return membersOnly(context, {
    get: (request) => show(request, request.query.get('oauth_token') ?? ''),
    tooSoon: (request) => show(request, request.form.get('oauth_token') ?? ''),
    async post(request) {
      const token = request.form.get('oauth_token') ?? '';
      const refused = refusal(request, token);
      if (refused !== undefined) return refused;
      const pending = await pendingAuthorization(db, wanted(token));
      if (!pending) return expiredPage(context, request);
      if (request.form.get('decision') !== 'allow') {
        const denied = await denyAuthorization(db, wanted(token));
        if (denied === undefined) return expiredPage(context, request);
        return denied === 'denied' ? deniedPage(context, request, pending) : seeOther(denied.redirect);
      }
      const allowed = await allowAuthorization(db, { ...wanted(token), memberId: request.member.id, random });
      if (allowed === undefined) return expiredPage(context, request);
      return 'redirect' in allowed
        ? seeOther(allowed.redirect)
        : verifierPage(context, request, { app: pending.title, verifier: allowed.verifier });
    },
  });
}

function deniedPage(context: PageContext, request: MemberRequest, { title: app }: Pending): Promise<HttpResponse> {
  const { texts } = request;
  return messagePage(context, request, {
    title: texts.say('consent.denied'),
    text: texts.say('consent.deniedText', { app }),
  });
}

function expiredPage(context: PageContext, request: MemberRequest): Promise<HttpResponse> {
  const { texts } = request;
  return messagePage(context, request, {
    status: 404,
    title: texts.say('consent.over'),
    text: texts.say('consent.overText'),
  });
}

function administratorsOnly(context: PageContext, request: MemberRequest, path: string): Promise<HttpResponse> {
  const { texts, settings } = request;
  return messagePage(context, request, {
    status: 403,
    title: texts.say('consent.adminOnly'),
    text: texts.say('consent.adminOnlyText', { site: settings.name }),
    action: signedInAs(context, request, path),
  });
}
