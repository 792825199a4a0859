import type { JsonObject } from '../../json.ts'
import { ruleFault } from '../../fault.ts'
import { choice, nullable, object, string, stringOr } from '../../shape.ts'
import { modelName } from '../fields.ts'
import { inputItems } from './item-shapes.ts'

const compactRequest = object({
  required: { model: modelName },
  optional: {
    image: object({ open: true }),
    input: nullable(stringOr(inputItems)),
    instructions: nullable(string()),
    previous_response_id: nullable(string({ min: 1 })),
    prompt_cache_key: nullable(string()),
    prompt_cache_options: nullable(object({ open: true })),
    prompt_cache_retention: nullable(choice('in_memory', 'in-memory', '24h')),
    service_tier: nullable(choice('auto', 'default', 'fast', 'flex', 'priority')),
  },
})

/** Throws unless OpenAI accepts this body for compacting a conversation. */
export function checkCompactRequest(body: JsonObject): void {
  compactRequest(body, [])
  if ((body['input'] ?? body['previous_response_id'] ?? undefined) === undefined)
    throw ruleFault(['input'], "Missing required parameter: 'input'.", 'missing_required_parameter')
}
