import type { JsonObject } from '../json.ts'
import { Problem } from '../problem.ts'
import type { Provider } from '../provider.ts'
import { explainGoogleFault } from './faults.ts'

/** Gemini: errors of google.rpc, the key in `x-goog-api-key` or in the query. */
export const gemini: Provider = {
  name: 'gemini',
  credentials: ['x-goog-api-key', 'key'],
  requestIdHeader: undefined,
  replyHeaders: () => ({ vary: 'Origin, X-Origin, Referer' }),
  renderProblem: (problem) => ({ error: renderGoogleError(problem) }),
  explainFault: explainGoogleFault,
  wrongContentType: (contentType) =>
    new Problem(400, `Invalid content type '${contentType}': expected application/json.`),
  wrongKey: (key) =>
    key === undefined
      ? new Problem(403, "Method doesn't allow unregistered callers. Please use an API key.")
      : new Problem(400, 'API key not valid. Please pass a valid API key.', {
          code: 'API_KEY_INVALID',
        }),
}

/** Renders the error object of Google's APIs, for bodies and streams. */
export function renderGoogleError({ status, message, details }: Problem): JsonObject {
  return {
    code: status,
    message,
    status:
      details.type ?? statusNames[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'),
    ...(details.code === undefined ? {} : { details: [errorInfo(details.code)] }),
    ...details.members,
  }
}

// Names of google/rpc/code.proto by HTTP status.
const statusNames: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

function errorInfo(reason: string): JsonObject {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'googleapis.com',
  }
}
