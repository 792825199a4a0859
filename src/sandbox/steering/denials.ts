import { type JsonObject } from '../json.ts'
import { Problem, badRequest } from '../problem.ts'
import type { Provider } from '../provider.ts'

/** The refusals that `deny` can demand, each in the words of a provider that is known to send it. */
const denials = ['key', 'credit', 'model', 'file', 'flagged', 'tokens', 'unclear'] as const

type Denial = (typeof denials)[number]
type ProviderName = Provider['name']

/** The refusal that the directive `deny` demands. Throws a 400 for one that the provider does not send. */
export function denialOf(provider: Provider, kind: string): Problem {
  if (!isDenial(kind)) throw badRequest(`sandbox: deny is one of ${denials.join(', ')}`)
  if (kind === 'key') return provider.wrongKey('sandbox-key-revoked')
  const problem = problems[kind][provider.name]
  if (!problem) throw badRequest(`sandbox: ${provider.name} does not send the refusal '${kind}'`)
  return problem()
}

/** The rate limit that the directive `limit` demands. Throws a 400 where the provider does not say its scope. */
export function limitOf(
  provider: Provider,
  scope: string,
  headers: Record<string, string>,
): Problem {
  if (scope === 'model') return modelLimits[provider.name](headers)
  if (scope !== 'account') throw badRequest('sandbox: limit is one of model, account')
  if (provider.name === 'gemini')
    return geminiLimit('GenerateRequestsPerDayPerProject', {}, headers)
  throw badRequest(
    `sandbox: ${provider.name} does not say that a rate limit is the whole account's`,
  )
}

function isDenial(kind: string): kind is Denial {
  return denials.some((one) => one === kind)
}

type Problems = Partial<Record<ProviderName, () => Problem>>

const problems: Record<Exclude<Denial, 'key'>, Problems> = {
  credit: {
    openai: () =>
      new Problem(
        429,
        'You exceeded your current quota, please check your plan and billing details.',
        {
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      ),
    anthropic: () =>
      badRequest(
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      ),
    gemini: () =>
      new Problem(403, 'This API method requires billing to be enabled.', {
        code: 'BILLING_DISABLED',
      }),
  },
  model: {
    openai: () =>
      new Problem(403, 'Project `proj_sandbox` does not have access to model `sandbox`.', {
        code: 'model_not_found',
      }),
    gemini: () => new Problem(403, 'You do not have permission to access tuned model sandbox.'),
    bedrock: () =>
      new Problem(403, "You don't have access to the model with the specified model ID."),
  },
  file: {
    gemini: () =>
      new Problem(
        403,
        'You do not have permission to access the File sandbox or it may not exist.',
      ),
  },
  // OpenRouter's form of the OpenAI API.
  flagged: {
    openai: () =>
      new Problem(403, 'The model requires moderation. Your input was flagged for "sandbox".', {
        members: { code: 403, metadata: { reasons: ['sandbox'], flagged_input: 'sandbox' } },
      }),
  },
  tokens: {
    openai: () =>
      new Problem(
        402,
        'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, ' +
          'but can only afford 27342.',
        { members: { code: 402, metadata: { provider_name: null } } },
      ),
  },
  unclear: {
    openai: () => new Problem(403, 'Forbidden.'),
    anthropic: () =>
      new Problem(403, 'Your API key does not have permission to use this resource.'),
    gemini: () => new Problem(403, 'The caller does not have permission'),
  },
}

type Limit = (headers: Record<string, string>) => Problem

const modelLimits: Record<ProviderName, Limit> = {
  openai: (headers) =>
    new Problem(429, 'Rate limit reached for the model in organization org-sandbox.', { headers }),
  anthropic: (headers) =>
    new Problem(429, "This request would exceed your organization's rate limit for the model.", {
      headers,
    }),
  bedrock: (headers) =>
    new Problem(429, 'Too many requests, please wait before trying again.', { headers }),
  gemini: (headers) =>
    geminiLimit(
      'GenerateRequestsPerMinutePerProjectPerModel',
      { quotaDimensions: { location: 'global', model: 'sandbox' } },
      headers,
    ),
}

function geminiLimit(quotaId: string, more: JsonObject, headers: Record<string, string>): Problem {
  const quotaMetric = 'generativelanguage.googleapis.com/generate_requests'
  const violations = [{ quotaMetric, quotaId, ...more }]
  const details = [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations }]
  return new Problem(429, 'You exceeded your current quota.', { headers, members: { details } })
}
