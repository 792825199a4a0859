import type { Notes } from '../../../../../src/generate/notes.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { isPresent, wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { numberAt, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'

/** `T` with writable members. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The request under construction, without turns, tools and notes. */
export type HintOptions = Mutable<
  Omit<GenerateRequest, 'stream' | 'turns' | 'tools' | 'fields' | 'extras'>
>

/** Reads the options that do not change the generated content. */
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
  // The gateway itself stores a response, or leaves it unstored, where the account cannot.
  if (typeof body.store === 'boolean') options.store = body.store
  readMetadata(body, options, notes)
}

function readMetadata(body: JsonObject, options: HintOptions, notes: Notes): void {
  const metadata = objectAt(body, 'metadata')
  if (!metadata || Object.keys(metadata).length === 0) return
  for (const key of Object.keys(metadata)) {
    if (typeof metadata[key] !== 'string') throw wrong(`metadata.${key}`, 'a string')
  }
  options.metadata = metadata as Record<string, string>
  notes.uses('metadata', 'metadata')
}

const logprobsIncluded = 'message.output_text.logprobs'

/** The values of `include` (`ResponseIncludable` of openai 7). */
export const includable: ReadonlySet<unknown> = new Set<unknown>([
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
  const top = numberAt(body, 'top_logprobs') ?? 0
  if (top === 0 && !include.includes(logprobsIncluded)) return
  options.logprobs = { top }
  notes.uses('logprobs', top > 0 ? 'top_logprobs' : 'include')
}
