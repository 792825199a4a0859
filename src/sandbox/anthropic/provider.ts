import { Problem } from '../problem.ts'
import type { Provider } from '../provider.ts'
import { explainAnthropicFault } from './faults.ts'

/** Anthropic: typed errors, the key in `x-api-key` (SDK 0.x) or as a bearer token (SDK 1.x). */
export const anthropic: Provider = {
  name: 'anthropic',
  credentials: ['x-api-key', 'authorization'],
  requestIdHeader: 'request-id',
  replyHeaders: (account) => ({ 'anthropic-organization-id': `org-sandbox-${account.id}` }),
  renderProblem: (problem, requestId) => ({
    ...renderAnthropicError(problem),
    request_id: requestId,
  }),
  explainFault: explainAnthropicFault,
  wrongContentType: (contentType) =>
    new Problem(400, `content-type: expected application/json, but got '${contentType}'`),
  wrongKey: (key) =>
    new Problem(401, key === undefined ? 'x-api-key header is required' : 'invalid x-api-key'),
}

/** Renders the error object of Anthropic, for bodies and streams. */
export function renderAnthropicError({ status, message, details }: Problem) {
  const type = details.type ?? errorTypes[status] ?? fallbackType(status)
  const code = details.code === undefined ? {} : { details: { error_code: details.code } }
  return { type: 'error', error: { type, message, ...code } }
}

// Names by HTTP status: https://platform.claude.com/docs/en/api/errors
const errorTypes: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

function fallbackType(status: number): string {
  return status >= 500 ? 'api_error' : 'invalid_request_error'
}
