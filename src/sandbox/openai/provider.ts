import { Problem } from '../problem.ts'
import type { Provider } from '../provider.ts'
import { explainOpenAiFault } from './faults.ts'

/** OpenAI: error codes as strings, the key as a bearer token. */
export const openai: Provider = {
  name: 'openai',
  credentials: ['authorization'],
  requestIdHeader: 'x-request-id',
  replyHeaders: (account) => ({
    'openai-version': '2020-10-01',
    'openai-organization': `org-sandbox-${account.id}`,
    'openai-processing-ms': '1',
  }),
  renderProblem: (problem) => ({ error: renderOpenAiError(problem) }),
  explainFault: explainOpenAiFault,
  wrongContentType: (contentType) =>
    new Problem(
      415,
      `Unsupported content type: '${contentType}'. This API method only accepts ` +
        `'application/json' requests.`,
      { code: 'unsupported_content_type' },
    ),
  wrongKey: (key) =>
    key === undefined
      ? new Problem(401, "You didn't provide an API key. Use Authorization: Bearer YOUR_KEY.")
      : new Problem(401, `Incorrect API key provided: ${key.slice(0, 4)}***.`, {
          code: 'invalid_api_key',
        }),
}

/** Renders the error object of OpenAI, for bodies and streams. */
export function renderOpenAiError(problem: Problem): Record<string, unknown> {
  const { type, param, code, members } = problem.details
  return {
    message: problem.message,
    type: type ?? typeOf(problem.status),
    param: param ?? null,
    code: code ?? codesByStatus[problem.status] ?? null,
    ...members,
  }
}

const codesByStatus: Record<number, string> = { 429: 'rate_limit_exceeded' }

function typeOf(status: number): string {
  if (status === 429) return 'requests'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
