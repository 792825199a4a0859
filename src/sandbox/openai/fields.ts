import {
  type Members,
  anything,
  boolean,
  choice,
  dictionary,
  integer,
  number,
  string,
} from '../shape.ts'

/** Up to 16 pairs that a client attaches to an object. */
export const metadata = dictionary(string({ max: 512 }), { keyLength: 64, size: 16 })

/** Request fields that Responses and Chat Completions have in common, with OpenAI's bounds. */
export const commonFields: Members = {
  metadata,
  moderation: anything,
  parallel_tool_calls: boolean,
  prompt_cache_key: string(),
  prompt_cache_options: anything,
  prompt_cache_retention: choice('in_memory', 'in-memory', '24h'),
  safety_identifier: string({ max: 64 }),
  service_tier: choice('auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'),
  store: boolean,
  stream: boolean,
  temperature: number({ min: 0, max: 2 }),
  top_logprobs: integer({ min: 0, max: 20 }),
  top_p: number({ min: 0, max: 1 }),
  user: string(),
  presence_penalty: number({ min: -2, max: 2 }),
  frequency_penalty: number({ min: -2, max: 2 }),
}

/** The name of a model. */
export const modelName = string({ min: 1 })

/** The name of a function or custom tool. */
export const toolName = string({ pattern: /^[a-zA-Z0-9_-]{1,64}$/ })

/** The effort of reasoning models. */
export const reasoningEffort = choice('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')

/** The length of the reply that the model aims at. */
export const verbosity = choice('low', 'medium', 'high')

/** The resolution at which the model looks at an image. */
export const imageDetail = choice('low', 'high', 'auto', 'original')

/** The web address or data URL of an image. */
export const imageUrl = string({ pattern: /^(https?:\/\/|data:image\/)/ })
