import type { ModelList, Upstream } from '../../../src/contract/dialect-info.ts'
import type { Refusal, RefusalSubject } from '../../../src/contract/refusal.ts'
import { statusOfGoogleError } from './google-error.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'

/** Reasons of `google.api.ErrorReason` about the key, its project or its billing (docs/wire/gemini.md 1.6). */
const reasons =
  /^(?:API_KEY_|CONSUMER_|SERVICE_DISABLED|ACCESS_TOKEN_|ACCOUNT_STATE_INVALID|CREDENTIALS_MISSING|USER_PROJECT_DENIED)/

/**
 * Messages of the Gemini API whose details say nothing more (docs/wire/gemini.md 1.6). A pattern
 * about more than the request matches the beginning only, because errors of a request quote its texts.
 */
const wordings: readonly { readonly message: RegExp; readonly about: RefusalSubject }[] = [
  { message: /^api key (?:not valid|not found|expired)/i, about: 'credential' },
  { message: /^your api key was reported as leaked/i, about: 'credential' },
  { message: /^you do not have permission to access (?:the )?tuned ?model/i, about: 'model' },
  { message: /^publisher model .{1,300} (?:was|is) not found/i, about: 'model' },
  { message: /permission to access the .{0,300} or it may not exist/i, about: 'request' },
  { message: /not found \(or permission denied\)/i, about: 'request' },
]

/**
 * Returns the subject of a refusal in Google's format, which Google Cloud also has for models of other vendors;
 * `undefined` for errors in other formats.
 */
export function subjectOfGoogleRefusal(refusal: Refusal): RefusalSubject | undefined {
  const { code, status } = refusal.error
  const isOfGoogle = typeof code === 'number' && typeof status === 'string'
  return isOfGoogle ? subjectOf(refusal) : undefined
}

/** Returns the subject of a refusal of the Gemini API, as far as its details or message name it. */
function subjectOf({ status, error }: Refusal): RefusalSubject | undefined {
  const details = objectsIn(error.details)
  for (const detail of details) {
    const reason = stringAt(detail, 'reason') ?? ''
    if (reason === 'BILLING_DISABLED') return 'credit'
    if (reasons.test(reason)) return 'credential'
  }
  if (status === 429) return limitOf(details)
  const message = stringAt(error, 'message') ?? ''
  return wordings.find((one) => one.message.test(message))?.about
}

/** The `RetryInfo` of an error (docs/wire/gemini.md 1.6), in milliseconds. */
export function retryInfoOf(error: Refusal['error']): number | undefined {
  for (const detail of objectsIn(error.details)) {
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(stringAt(detail, 'retryDelay') ?? '')?.[1]
    if (seconds !== undefined) return Number(seconds) * 1_000
  }
  return undefined
}

/** A quota without a model as dimension is the whole project's. */
function limitOf(details: readonly Record<string, unknown>[]): RefusalSubject | undefined {
  const violations = details.flatMap(({ violations: list }) => objectsIn(list))
  if (violations.length === 0) return undefined
  return violations.some(isAboutModel) ? 'model-limit' : 'account-limit'
}

function isAboutModel(violation: Record<string, unknown>): boolean {
  if (objectAt(violation, 'quotaDimensions')?.model !== undefined) return true
  return /PerModel|PerBaseModel/i.test(stringAt(violation, 'quotaId') ?? '')
}

const callable = new Set<unknown>(['generateContent', 'predictLongRunning', 'embedContent'])

/** Reads a page of models. Those that only answer live have no endpoint here. */
const readModels: ModelList['read'] = (page) => {
  const models = objectAt(page, 'models')
  if (!Array.isArray(models)) return undefined
  const next = stringAt(page, 'nextPageToken')
  return {
    names: objectsIn(models).flatMap((model) => {
      const { supportedGenerationMethods: methods } = model
      if (Array.isArray(methods) && !methods.some((one) => callable.has(one))) return []
      return stringAt(model, 'name')?.replace(/^models\//, '') ?? []
    }),
    next: next ? `pageSize=1000&pageToken=${encodeURIComponent(next)}` : undefined,
  }
}

/**
 * How accounts with Google's format name the subject of a refusal, how their credential is checked, and how they list
 * their models.
 */
export const googleRefusals: Pick<
  Upstream,
  'subjectOf' | 'statusOf' | 'retryAfterOf' | 'freeCall' | 'modelList'
> = {
  subjectOf,
  statusOf: statusOfGoogleError,
  retryAfterOf: retryInfoOf,
  freeCall: { path: '/v1beta/models', query: 'pageSize=1' },
  modelList: { path: '/v1beta/models', query: 'pageSize=1000', read: readModels },
}
