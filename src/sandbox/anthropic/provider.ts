import { Problem, badRequest } from '../problem.ts'
import type { Provider } from '../provider.ts'
import type { Fault } from '../fault.ts'

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

/** Anthropic's error for a request of the wrong shape. */
function explainAnthropicFault(fault: Fault): Problem {
  return badRequest(`${fault.path.join('.')}: ${reasonOf(fault)}`)
}

function reasonOf(fault: Fault): string {
  switch (fault.kind) {
    case 'missing':
      return 'Field required'
    case 'unknown':
      return 'Extra inputs are not permitted'
    case 'type':
      return `Input should be ${fault.expected}, but is ${fault.actual}`
    case 'choice':
      return `Input should be ${fault.allowed.map((value) => `'${value}'`).join(', ')}`
    case 'limit':
      return reasonOfLimit(fault)
    case 'pattern':
      return `String should match pattern '${fault.pattern}'`
    case 'rule':
      return fault.message
  }
}

function reasonOfLimit({ of, bound, limit }: Fault & { kind: 'limit' }): string {
  const least = bound === 'min' ? 'least' : 'most'
  if (of === 'length') return `String should have at ${least} ${counted(limit, 'character')}`
  if (of === 'items') return `List should have at ${least} ${counted(limit, 'item')}`
  return `Input should be ${bound === 'min' ? 'greater' : 'less'} than or equal to ${limit}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
