/** Words for `oauth_problem` in `WWW-Authenticate` (contract §5). */
export type OAuthProblem =
  | 'nonce_used'
  | 'parameter_absent'
  | 'parameter_rejected'
  | 'permission_denied'
  | 'signature_invalid'
  | 'signature_method_rejected'
  | 'timestamp_refused'
  | 'version_rejected';

/** A request that OAuth refuses: 400 if malformed, 401 if not authenticated. Holds no secret. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly status: 400 | 401;
  readonly problem: OAuthProblem;

  constructor(status: 400 | 401, problem: OAuthProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.problem = problem;
  }
}
