import type { Notes } from '../../../../../src/generate/notes.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { isPresent, wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { numberAt, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Everything of a request but what it shall answer and with which tools, while it is read. */
export type HintOptions = Mutable<
  Omit<GenerateRequest, 'stream' | 'turns' | 'tools' | 'fields' | 'extras'>
>

/** What does not change the answer itself. */
export function readHints(body: JsonObject, options: HintOptions, notes: Notes): void {
  readLogprobs(body, options, notes)
  const userField = isPresent(body, 'safety_identifier') ? 'safety_identifier' : 'user'
  const endUser = stringAt(body, userField)
  if (endUser !== undefined) {
    options.endUser = endUser
    notes.uses('end_user', userField)
  }
  const cacheKey = stringAt(body, 'prompt_cache_key')
  if (cacheKey !== undefined) {
    options.cacheKey = cacheKey
    notes.uses('cache_key', 'prompt_cache_key')
  }
  const serviceTier = stringAt(body, 'service_tier')
  if (serviceTier !== undefined) {
    options.serviceTier = serviceTier
    if (serviceTier !== 'auto') notes.uses('service_tier', 'service_tier')
  }
  if (typeof body.store === 'boolean') {
    options.store = body.store
    // That a response is kept is the default here, and the gateway itself can keep it.
    if (!body.store) notes.uses('store', 'store')
  }
  readMetadata(body, options, notes)
}

function readMetadata(body: JsonObject, options: HintOptions, notes: Notes): void {
  const said = objectAt(body, 'metadata')
  if (!said || Object.keys(said).length === 0) return
  for (const key of Object.keys(said)) {
    if (typeof said[key] !== 'string') throw wrong(`metadata.${key}`, 'a string')
  }
  options.metadata = said as Record<string, string>
  notes.uses('metadata', 'metadata')
}

const logprobsIncluded = 'message.output_text.logprobs'

/** What else can be included belongs to tools that no other API has. */
const includable = new Set<unknown>([
  logprobsIncluded,
  'reasoning.encrypted_content',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'web_search_call.action.sources',
  'web_search_call.results',
])

function readLogprobs(body: JsonObject, options: HintOptions, notes: Notes): void {
  const include: unknown[] = Array.isArray(body.include) ? body.include : []
  for (const [index, what] of include.entries()) {
    if (!includable.has(what)) notes.extra(`include[${index}]`, 'warn', 'no other API has it')
  }
  const top = numberAt(body, 'top_logprobs') ?? 0
  if (top === 0 && !include.includes(logprobsIncluded)) return
  options.logprobs = { top }
  notes.uses('logprobs', top > 0 ? 'top_logprobs' : 'include')
}
