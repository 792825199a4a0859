import type { Notes } from '../../../../../src/generate/notes.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import {
  type UnsupportedFeature,
  native,
  silent,
  warn,
} from '../../../../../src/generate/unsupported.ts'
import { isGiven } from '../../../../../src/kit/codec/read.ts'

const reason = 'only the Chat Completions API may support it'

/**
 * Known members of the objects inside a request: members that the codec reads, hints for caches, and
 * members of an account's reply that clients send back with it.
 */
const kinds = {
  system: new Set(['role', 'content', 'name', 'cache_control']),
  user: new Set(['role', 'content', 'name', 'cache_control']),
  assistant: new Set([
    'role',
    'content',
    'name',
    'refusal',
    'audio',
    'annotations',
    'tool_calls',
    'function_call',
    'reasoning',
    'reasoning_content',
    'reasoning_details',
    'parsed',
    'provider_specific_fields',
    'cache_control',
  ]),
  tool: new Set(['role', 'content', 'tool_call_id', 'name', 'cache_control']),
  function: new Set(['role', 'content', 'name']),
  call: new Set(['id', 'type', 'index', 'function', 'custom', 'extra_content']),
  called: new Set(['name', 'arguments', 'input', 'parsed_arguments']),
  text: new Set(['type', 'text', 'annotations', 'prompt_cache_breakpoint', 'cache_control']),
  image_url: new Set(['type', 'image_url', 'prompt_cache_breakpoint', 'cache_control']),
  input_audio: new Set(['type', 'input_audio', 'prompt_cache_breakpoint', 'cache_control']),
  file: new Set(['type', 'file', 'prompt_cache_breakpoint', 'cache_control']),
  refusal: new Set(['type', 'refusal']),
  image: new Set(['url', 'detail']),
  audio: new Set(['data', 'format']),
  fileContent: new Set(['file_id', 'file_data', 'filename']),
  offer: new Set(['type', 'function', 'custom', 'cache_control']),
  functionTool: new Set(['name', 'description', 'parameters', 'strict']),
  customTool: new Set(['name', 'description', 'format']),
  inputFormat: new Set(['type', 'grammar']),
  grammar: new Set(['syntax', 'definition']),
  responseFormat: new Set(['type', 'json_schema']),
  jsonSchema: new Set(['name', 'description', 'schema', 'strict']),
} as const satisfies Record<string, ReadonlySet<string>>

/** The kinds of objects inside a request. */
type Kind = keyof typeof kinds

/** Notes the unknown members of an object of this kind as losses. */
export function noteMembers(
  kind: Kind,
  json: Readonly<Record<string, unknown>>,
  path: string,
  notes: Notes,
): void {
  notes.unread(json, path, kinds[kind], reason)
}

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
