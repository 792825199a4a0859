import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import {
  type UnsupportedFeature,
  native,
  silent,
  warn,
} from '../../../../../src/generate/unsupported.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import { isGiven } from '../../../../../src/kit/codec/read.ts'

/** Top-level fields that the neutral model has a place for, or that say nothing by themselves. */
const placed = new Set([
  'frequency_penalty',
  'function_call',
  'functions',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'n',
  'parallel_tool_calls',
  'presence_penalty',
  'prompt_cache_key',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
])

const only: Readonly<Record<string, UnsupportedFeature>> = {
  audio: native('only the Chat Completions API answers in speech'),
  logit_bias: native('only the Chat Completions API takes biases of tokens'),
  modalities: native('only the Chat Completions API answers in speech'),
  prediction: native('only the Chat Completions API takes a predicted answer'),
  prompt_cache_options: silent('a hint for caches of the Chat Completions API'),
  prompt_cache_retention: silent('a hint for caches of the Chat Completions API'),
  web_search_options: native('only the Chat Completions API searches the web by itself'),
}

const unknown = warn('only the Chat Completions API may know it')

/** Tells of every field that has no place in the neutral model. */
export function findExtras(body: JsonObject, found: Notes): void {
  for (const [name, value] of Object.entries(body)) {
    if (placed.has(name) || saysNothing(name, value)) continue
    const { treatment, reason } = (Object.hasOwn(only, name) && only[name]) || unknown
    found.extra(name, treatment, reason)
  }
}

function saysNothing(name: string, value: unknown): boolean {
  if (!isGiven(value)) return true
  if (name === 'modalities') return Array.isArray(value) && value.every((one) => one === 'text')
  return name === 'logit_bias' && Object.keys(value as object).length === 0
}
