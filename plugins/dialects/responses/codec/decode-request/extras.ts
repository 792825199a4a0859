import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import {
  type UnsupportedFeature,
  native,
  silent,
  warn,
} from '../../../../../src/generate/unsupported.ts'
import { isPresent } from '../../../../../src/kit/checks.ts'
import { objectAt } from '../../../../../src/lib/json/read.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import { noteMembers } from './members.ts'

/** Top-level fields that the neutral request covers, and those that the gateway resolves itself. */
const known = new Set([
  'conversation',
  'frequency_penalty',
  'image',
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  'metadata',
  'model',
  'parallel_tool_calls',
  'presence_penalty',
  'previous_response_id',
  'prompt_cache_key',
  'prompt_cache_options',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
])

interface Rule extends UnsupportedFeature {
  /** A value of the field that has no effect and is not noted. */
  readonly harmless?: unknown
}

/** Fields that only this dialect supports. */
const rules = new Map<string, Rule>([
  ['background', { ...native('other APIs have no background mode'), harmless: false }],
  ['prompt', native('only the account that stores the prompt has it')],
  ['truncation', { ...warn('other APIs do not shorten the input'), harmless: 'disabled' }],
  ['context_management', warn('other APIs do not manage the context')],
  ['moderation', warn('other APIs do not offer a choice of moderation model')],
  ['max_tool_calls', silent('it limits hosted tools, which other APIs do not have')],
  ['prompt_cache_retention', silent('other APIs control caching differently')],
  ['stream_options', silent('translated streams are not obfuscated')],
  ['access_programs', warn('other APIs have no such programs')],
])

/** Notes every top-level field that the neutral request does not cover. */
export function noteExtras(body: JsonObject, notes: Notes): void {
  for (const field of Object.keys(body)) {
    if (known.has(field) || !isPresent(body, field)) continue
    if (field === 'prompt' && typeof body.prompt === 'string') continue
    const { treatment, reason, harmless } = rules.get(field) ?? unknown
    if (harmless === undefined || body[field] !== harmless) notes.extra(field, treatment, reason)
  }
  noteReasoning(objectAt(body, 'reasoning'), notes)
  noteMembers('cacheOptions', objectAt(body, 'prompt_cache_options') ?? {}, cacheOptions, notes)
  noteMembers('imageOptions', objectAt(body, 'image') ?? {}, 'image', notes)
  noteOptions(body, notes)
}

const cacheOptions = 'prompt_cache_options'

function noteOptions(body: JsonObject, notes: Notes): void {
  const { prewarm, comparison_response_id: compared } = objectAt(body, cacheOptions) ?? {}
  if (prewarm === true) {
    notes.native(`${cacheOptions}.prewarm`, 'other APIs cannot fill a cache without an answer')
  }
  if ((compared ?? undefined) !== undefined) {
    const reason = 'other APIs do not compare caches'
    notes.extra(`${cacheOptions}.comparison_response_id`, 'warn', reason)
  }
  const compression = objectAt(body, 'image')?.context_compression ?? 'auto'
  if (compression !== 'auto') {
    const reason = 'other APIs choose the compression of images themselves'
    notes.extra('image.context_compression', 'warn', reason)
  }
}

function noteReasoning(reasoning: JsonObject | undefined, notes: Notes): void {
  if (!reasoning) return
  for (const field of Object.keys(reasoning)) {
    const isKnown = ['effort', 'summary', 'generate_summary'].includes(field)
    if (isKnown || !isPresent(reasoning, field)) continue
    notes.extra(`reasoning.${field}`, 'warn', 'other APIs do not support it')
  }
}

const unknown: Rule = warn('only the Responses API may support it')
