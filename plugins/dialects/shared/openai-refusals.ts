import type { Upstream } from '../../../src/contract/dialect-info.ts'
import type { Refusal, RefusalSubject } from '../../../src/contract/refusal.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { subjectOfAwsRefusal } from './aws-refusals.ts'
import { retryInfoOf, subjectOfGoogleRefusal } from './google-refusals.ts'

/** Codes and types of OpenAI, OpenRouter and others that speak the format (docs/wire/openai.md 5.6). */
const subjects = new Map<unknown, RefusalSubject>([
  ['invalid_api_key', 'credential'],
  ['account_deactivated', 'credential'],
  ['unsupported_country_region_territory', 'credential'],
  ['insufficient_quota', 'credit'],
  ['credit_balance_exhausted', 'credit'],
  ['billing_hard_limit_reached', 'credit'],
  ['billing_not_active', 'credit'],
  ['content_filter', 'request'],
  ['content_policy_violation', 'request'],
  ['moderation_blocked', 'request'],
])

interface Wording {
  readonly status: number
  readonly message: RegExp
  readonly about: RefusalSubject
}

/**
 * Messages of refusals whose code does not say it (docs/wire/openai.md 5.6). The first match decides. A
 * pattern about more than the request matches the beginning only, because errors of a request quote its texts.
 */
const wordings: readonly Wording[] = [
  {
    status: 401,
    message: /missing scopes|insufficient permissions for this op/i,
    about: 'unclear',
  },
  {
    status: 402,
    message: /fewer max_tokens|can only afford|tokens limit exceeded/i,
    about: 'request',
  },
  { status: 403, message: /requires moderation|input was flagged/i, about: 'request' },
  {
    status: 403,
    message: /^(?:project|organization|your organization)\b.{0,100} does not have access to model/i,
    about: 'model',
  },
  { status: 403, message: /^your organization must be verified to use /i, about: 'model' },
  { status: 403, message: /must be verified to stream /i, about: 'request' },
  { status: 403, message: /^key limit exceeded/i, about: 'credit' },
  { status: 429, message: /^request too large for/i, about: 'request' },
]

/** Statuses of servers that do not have a path, or do not have it for a method or a model. */
const missingStatuses = new Set([404, 405, 501])

/** As OpenAI, FastAPI (vLLM, SGLang), llama.cpp and LM Studio say it. */
const missingPath =
  /^(?:invalid url \(|not found$|method not allowed$|file not found$|unexpected endpoint or method)/i

/** Whether the server does not have the endpoint. Those in Go (Ollama) and proxies answer with text. */
function lacksEndpoint({ status, error, headers }: Refusal): boolean {
  if (status === 501) return true
  const message = stringAt(error, 'message')
  if (message !== undefined) return missingPath.test(message)
  return Object.keys(error).length === 0 && headers['content-type']?.startsWith('text/') === true
}

/** Other statuses refuse the request, with any code. */
const refusalStatuses = new Set([401, 402, 403, 429])

/** Returns the subject of a refusal in OpenAI's format, as far as its code or message names it. */
function subjectOf(refusal: Refusal): RefusalSubject | undefined {
  const { status, error } = refusal
  if (missingStatuses.has(status) && lacksEndpoint(refusal)) return 'endpoint'
  const ofCloud = subjectOfGoogleRefusal(refusal) ?? subjectOfAwsRefusal(refusal)
  if (ofCloud) return ofCloud
  if (!refusalStatuses.has(status)) return undefined
  const known = subjects.get(error.code) ?? subjects.get(error.type)
  if (known) return known
  if (status === 403 && error.code === 'model_not_found') return 'model'
  if (status === 403 && isFlagged(error)) return 'request'
  const message = stringAt(error, 'message') ?? ''
  return wordings.find((one) => one.status === status && one.message.test(message))?.about
}

/** OpenRouter names the reasons and the input that a moderation flagged. */
function isFlagged(error: Refusal['error']): boolean {
  const metadata = objectAt(error, 'metadata')
  return Array.isArray(metadata?.reasons) || typeof metadata?.flagged_input === 'string'
}

/**
 * How accounts with OpenAI's format name the subject of a refusal, how their credential is checked, and how they list
 * their models. Together's list is the array itself (docs/wire/openai.md 5.6).
 */
export const openAiRefusals: Pick<
  Upstream,
  'subjectOf' | 'retryAfterOf' | 'freeCall' | 'modelList'
> = {
  subjectOf,
  // Google's server of the Chat Completions API has the errors of its own API.
  retryAfterOf: retryInfoOf,
  freeCall: { path: '/v1/models' },
  modelList: {
    path: '/v1/models',
    read: (page) => {
      const list = objectAt(page, 'data') ?? page
      if (!Array.isArray(list)) return undefined
      return { names: objectsIn(list).flatMap((one) => stringAt(one, 'id') ?? []) }
    },
  },
}
