import type { ModelList } from '../../../src/contract/dialect-info.ts'
import type { Refusal, RefusalSubject } from '../../../src/contract/refusal.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { subjectOfAwsRefusal } from '../shared/aws-refusals.ts'
import { subjectOfGoogleRefusal } from '../shared/google-refusals.ts'

/** Types that decide with any status. */
const subjects = new Map<unknown, RefusalSubject>([
  ['authentication_error', 'credential'],
  ['billing_error', 'credit'],
])

/**
 * Messages that have the status of an invalid request, and concern the account (docs/wire/anthropic.md 1.7).
 * Only their beginnings count: errors of a request quote its texts.
 */
const wordings: readonly { readonly message: RegExp; readonly about: RefusalSubject }[] = [
  { message: /^your credit balance is too low/i, about: 'credit' },
  { message: /^you have reached your specified (?:\w+ )?usage limits/i, about: 'credit' },
  { message: /^this organization has been disabled/i, about: 'credential' },
]

/** Returns the subject of a refusal of the Messages API, as far as its type or message names it. */
export function subjectOfRefusal(refusal: Refusal): RefusalSubject | undefined {
  const { error } = refusal
  const ofCloud = () => subjectOfGoogleRefusal(refusal) ?? subjectOfAwsRefusal(refusal)
  const known = subjects.get(error.type) ?? ofCloud()
  if (known) return known
  const message = stringAt(error, 'message') ?? ''
  return wordings.find((one) => one.message.test(message))?.about
}

/** Lists one model. */
export const freeCall = { path: '/v1/models', query: 'limit=1' }

/** Lists all models, a thousand a page. */
export const modelList: ModelList = {
  path: '/v1/models',
  query: 'limit=1000',
  read: (page) => {
    const data = objectAt(page, 'data')
    if (!Array.isArray(data)) return undefined
    const last = stringAt(page, 'last_id')
    const hasMore = (page as { has_more?: unknown } | null)?.has_more === true
    return {
      names: objectsIn(data).flatMap((one) => stringAt(one, 'id') ?? []),
      next: hasMore && last ? `limit=1000&after_id=${encodeURIComponent(last)}` : undefined,
    }
  },
}
