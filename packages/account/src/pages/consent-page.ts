import {
  allowAuthorization,
  denyAuthorization,
  type Flow,
  type Pending,
  pendingAuthorization,
} from '@gantry/service/account';
import type { HttpResponse } from '@gantry/wire';
import { membersOnly, messagePage, signedInAs } from '../html/account-page.ts';
import { type PageMethods, seeOther } from '../request/page-methods.ts';
import type { MemberRequest } from '../request/page-request.ts';
import { questionPage } from './consent-question.ts';
import { verifierPage } from './verifier-page.ts';

/** Path of the page on which each flow of 3-legged OAuth asks its member (contract §1). */
export const consentPaths: Readonly<Record<Flow, string>> = {
  member: '/oauth/authorize',
  admin: '/admin/oauth/authorize',
};

/** Makes the page on which a member or administrator decides about a consumer (contract §5). */
export function consentPage(flow: Flow): PageMethods {
  const action = consentPaths[flow];

  /** Runs `work` on a request that this member can allow; others get a page that says why not. */
  async function withPending(
    request: MemberRequest,
    token: string,
    work: (pending: Pending) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const { context, member } = request;
    if (token === '') return expiredPage(request);
    if (flow === 'admin' && !member.isAdmin) return administratorsOnly(request, pathOf(token));
    const pending = await pendingAuthorization(context.db, { token, flow, nowMs: context.now() });
    return pending ? work(pending) : expiredPage(request);
  }

  const pathOf = (token: string) => `${action}?${new URLSearchParams({ oauth_token: token })}`;
  const show = (request: MemberRequest, token: string) =>
    withPending(request, token, (pending) => questionPage(request, { pending, action, path: pathOf(token) }));

  return membersOnly({
    get: (request) => show(request, request.query.get('oauth_token') ?? ''),
    tooSoon: (request) => show(request, request.form.get('oauth_token') ?? ''),
    post(request) {
      const { context, form, member, texts } = request;
      const token = form.get('oauth_token') ?? '';
      return withPending(request, token, async ({ title: app }) => {
        const { db, now, random } = context;
        const decision = { token, flow, nowMs: now() };
        if (form.get('decision') !== 'allow') {
          const denied = await denyAuthorization(db, decision);
          if (denied === undefined) return expiredPage(request);
          if (denied !== 'denied') return seeOther(denied.redirect);
          const text = texts.say('consent.deniedText', { app });
          return messagePage(request, { title: texts.say('consent.denied'), text });
        }
        const allowed = await allowAuthorization(db, { ...decision, memberId: member.id, random });
        if (allowed === undefined) return expiredPage(request);
        return 'redirect' in allowed
          ? seeOther(allowed.redirect)
          : verifierPage(request, { app, verifier: allowed.verifier });
      });
    },
  });
}

function expiredPage(request: MemberRequest): Promise<HttpResponse> {
  const { texts } = request;
  return messagePage(request, { status: 404, title: texts.say('consent.over'), text: texts.say('consent.overText') });
}

function administratorsOnly(request: MemberRequest, path: string): Promise<HttpResponse> {
  const { texts, settings } = request;
  return messagePage(request, {
    status: 403,
    title: texts.say('consent.adminOnly'),
    text: texts.say('consent.adminOnlyText', { site: settings.name }),
    action: signedInAs(request, path),
  });
}
