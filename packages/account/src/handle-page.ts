import { type HttpResponse, SocialError } from '@gantry/wire';
import { stalePage } from './html/failure.ts';
import { type FormCheck, formTokenName, isFromOwnPage } from './http/forms.ts';
import { readForm } from './http/read-form.ts';
import { type Handle, methodsOf, type PageMethods } from './request/page-methods.ts';
import type { PageRequest } from './request/page-request.ts';
import { readFilesForm, refuseOtherForms } from './uploads/files-form.ts';

/**
 * Makes the function that runs the method of a page for a request. A form reaches its page only
 * with a token that was issued to this browser, from a page of this site (security rule 26).
 */
export function createPageHandler(findPage: (path: string) => PageMethods | undefined): Handle {
  async function handleForm({ post, tooSoon }: { post: Handle; tooSoon: Handle | undefined }, request: PageRequest) {
    const form = await readForm(request.http, request.texts);
    refuseForeign(request);
    const verdict = check(request, form.get(formTokenName));
    if (verdict === 'invalid') return stalePage(request, form);
    if (verdict === 'tooSoon' && tooSoon) return tooSoon({ ...request, form, isTooSoon: true });
    return post({ ...request, form });
  }

  async function handlePut(put: Handle, request: PageRequest): Promise<HttpResponse> {
    refuseForeign(request);
    if (check(request, request.http.headers.get('x-form-token')) !== 'invalid') return put(request);
    throw new SocialError('FORBIDDEN', request.texts.say('upload.stale'));
  }

  // These forms are large: those of other sites and of visitors are refused unread, and no file is
  // read before the token.
  async function handleFiles(post: Handle, request: PageRequest): Promise<HttpResponse> {
    const { context, http, texts, member } = request;
    refuseForeign(request);
    if (!member) throw new SocialError('FORBIDDEN', texts.say('upload.membersOnly'));
    refuseOtherForms(http, texts);
    return context.receiveUpload({ ...request, member }, async (body) => {
      const { token, files } = await readFilesForm(http, { body, texts });
      const form = new URLSearchParams();
      if (check(request, token) === 'invalid') return stalePage(request, form);
      return post({ ...request, form, files });
    });
  }

  return async (request) => {
    const { http, texts } = request;
    const page = findPage(request.path.replace(/(?<=.)\/$/, ''));
    if (!page) throw new SocialError('NOT_FOUND', texts.say('page.missing'));
    const { get, post, tooSoon, put, takesFiles } = page;
    if (get && (http.method === 'GET' || http.method === 'HEAD')) return get(request);
    if (put && http.method === 'PUT') return handlePut(put, request);
    if (post && http.method === 'POST') {
      return takesFiles ? handleFiles(post, request) : handleForm({ post, tooSoon }, request);
    }
    const allow = methodsOf(page).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    throw new SocialError('METHOD_NOT_ALLOWED', texts.say('page.method'), { allow });
  };
}

function check({ context, formOwner: owner, path }: PageRequest, token: string | null): FormCheck {
  return context.forms.check({ owner, action: path }, token ?? '');
}

function refuseForeign({ context, http, texts }: PageRequest): void {
  if (isFromOwnPage(http, context.publicUrl)) return;
  throw new SocialError('FORBIDDEN', texts.say('form.otherSite'));
}
