import { hasAnyWithoutError, isFilledList } from '../../../../src/kit/own-bodies.ts'
import { isEmpty } from '../../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'

const ownMembers = ['candidates', 'promptFeedback', 'usageMetadata']

/** Whether a body is generated content or a chunk of it. */
export function isGenerateBody(body: JsonObject): boolean {
  const { candidates, promptFeedback, usageMetadata } = body
  if (isFilledList(candidates) || !isEmpty(promptFeedback) || !isEmpty(usageMetadata)) return true
  return hasAnyWithoutError(body, ownMembers)
}
