import { hasAny } from '../../../../src/kit/own-bodies.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'

const ownMembers = ['candidates', 'promptFeedback', 'usageMetadata']

/** Whether a body is generated content or a chunk of it. */
export function isGenerateBody(body: JsonObject): boolean {
  return hasAny(body, ownMembers)
}
