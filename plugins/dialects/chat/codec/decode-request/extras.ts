import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import {
  type UnsupportedFeature,
  native,
  silent,
  warn,
} from '../../../../../src/generate/unsupported.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import { isGiven } from '../../../../../src/kit/codec/read.ts'

/** Top-level fields that the neutral model represents, or that mean nothing by themselves. */
const knownFields = new Set([
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

const chatOnly: Readonly<Record<string, UnsupportedFeature>> = {
  audio: native('only the Chat Completions API supports spoken answers'),
  logit_bias: native('only the Chat Completions API supports biases of tokens'),
  modalities: native('only the Chat Completions API supports spoken answers'),
  prediction: native('only the Chat Completions API supports a predicted answer'),
  prompt_cache_options: silent('a hint for caches of the Chat Completions API'),
  prompt_cache_retention: silent('a hint for caches of the Chat Completions API'),
  web_search_options: native('only the Chat Completions API has a web search of its own'),
}

const unknown = warn('only the Chat Completions API may support it')

/** Notes every top-level field that the neutral model does not represent. */
export function findExtras(body: JsonObject, notes: Notes): void {
  for (const [name, value] of Object.entries(body)) {
    if (knownFields.has(name) || isNoop(name, value)) continue
    const { treatment, reason } = (Object.hasOwn(chatOnly, name) && chatOnly[name]) || unknown
    notes.extra(name, treatment, reason)
  }
}

function isNoop(name: string, value: unknown): boolean {
  if (!isGiven(value)) return true
  if (name === 'modalities') return Array.isArray(value) && value.every((one) => one === 'text')
  return name === 'logit_bias' && Object.keys(value as object).length === 0
}
