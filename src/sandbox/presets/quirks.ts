import type { JsonObject } from '../json.ts'

/** Where a server writes what the model thinks, and takes it back. */
export type ReasoningPlace = 'reasoning' | 'reasoning_content' | 'thinking' | 'think-tags' | 'none'

/** How a server writes errors. */
export type ErrorShape =
  | 'openai'
  | 'number'
  | 'flat'
  | 'text'
  | 'code-and-text'
  | 'message'
  | 'errors'
  | 'digits'
  | 'base-resp'

/** How a server with an API like OpenAI's differs from OpenAI. */
export type Quirks = {
  /** The paths of its base URLs. */
  chat: string
  responses?: string
  messages?: string
  /** Members of a request that it refuses with a 400. */
  refuses?: string[]
  /** The greatest number in a member. */
  most?: Record<string, number>
  /** Members of its own, which OpenAI does not have. */
  takes?: string[]
  /** Members of a turn that it refuses. */
  refusesInTurns?: string[]
  /** Default: `reasoning_content`. */
  reasoning?: ReasoningPlace
  /** Turns of the model with calls, or all of them, that must have the member of the reasoning. */
  wantsReasoning?: 'answers' | 'calls'
  /** Whether an answer at the end has to be marked as one to continue. */
  wantsPrefix?: boolean
  /** The form of the ids of tool calls. */
  callIds?: RegExp
  /** Where a stream has its usage. Default: in a chunk of its own, if the client asks for it. */
  usage?: 'last-chunk' | 'x_groq'
  /** What the usage says of the cost of each call. */
  cost?: JsonObject
  /** Whether output tokens leave out the tokens of reasoning. */
  excludesReasoning?: boolean
  /** Default: `openai`. */
  errors?: ErrorShape
  /** Whether failures have the status 200. */
  failsWith200?: boolean
  /** What comes before the first event, or before a JSON body. */
  keepAlive?: { stream?: string; json?: string }
  /** Whether it describes the key of a request at `/key`. */
  describesKey?: boolean
  /** Whether it lists no models. */
  hidesModels?: boolean
}

const openAiOnly = [
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'metadata',
  'modalities',
  'prompt_cache_key',
  'safety_identifier',
  'seed',
  'service_tier',
  'store',
  'stream_options',
  'top_logprobs',
  'user',
  'verbosity',
]

/** Servers by the first segment of their paths. */
export const servers: Record<string, Quirks> = {
  openrouter: {
    chat: '/api/v1',
    responses: '/api/v1',
    messages: '/api',
    reasoning: 'reasoning',
    cost: { cost: 0.00125, is_byok: false, cost_details: { upstream_inference_cost: null } },
    describesKey: true,
    errors: 'number',
    failsWith200: true,
    keepAlive: { stream: ': OPENROUTER PROCESSING\n\n', json: '\n\n' },
  },
  groq: {
    chat: '/openai/v1',
    refuses: ['logprobs', 'top_logprobs', 'logit_bias'],
    most: { n: 1 },
    refusesInTurns: ['name'],
    reasoning: 'reasoning',
    usage: 'x_groq',
  },
  mistral: {
    chat: '/v1',
    refuses: openAiOnly,
    takes: ['random_seed', 'safe_prompt'],
    refusesInTurns: ['name', 'refusal', 'annotations'],
    reasoning: 'thinking',
    wantsPrefix: true,
    callIds: /^[A-Za-z0-9]{9}$/,
    usage: 'last-chunk',
    errors: 'flat',
  },
  deepseek: {
    chat: '',
    messages: '/anthropic',
    takes: ['thinking'],
    wantsReasoning: 'answers',
    keepAlive: { stream: ': keep-alive\n\n', json: '\n\n\n' },
  },
  xai: {
    chat: '/v1',
    responses: '/v1',
    refuses: ['presence_penalty', 'frequency_penalty', 'stop'],
    most: { top_logprobs: 8 },
    excludesReasoning: true,
    errors: 'code-and-text',
  },
  together: { chat: '/v1', reasoning: 'reasoning' },
  fireworks: {
    chat: '/inference/v1',
    responses: '/inference/v1',
    messages: '/inference',
    usage: 'last-chunk',
    errors: 'text',
  },
  cerebras: { chat: '/v1', reasoning: 'reasoning', errors: 'flat' },
  perplexity: {
    chat: '',
    refuses: ['tools', 'stop', 'seed'],
    reasoning: 'think-tags',
    cost: { cost: { input_tokens_cost: 0.001, output_tokens_cost: 0.002, total_cost: 0.008 } },
    errors: 'number',
    hidesModels: true,
  },
  cohere: { chat: '/compatibility/v1', reasoning: 'none', errors: 'message', hidesModels: true },
  moonshot: {
    chat: '/v1',
    messages: '/anthropic',
    refuses: ['seed', 'temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
    wantsReasoning: 'calls',
  },
  zai: {
    chat: '/api/paas/v4',
    messages: '/api/anthropic',
    takes: ['thinking', 'do_sample', 'request_id'],
    errors: 'digits',
    hidesModels: true,
  },
  qwen: { chat: '/compatible-mode/v1', takes: ['enable_thinking', 'thinking_budget'] },
  minimax: {
    chat: '/v1',
    most: { n: 1 },
    messages: '/anthropic',
    reasoning: 'think-tags',
    errors: 'base-resp',
    failsWith200: true,
    hidesModels: true,
  },
  ollama: { chat: '/v1', messages: '', reasoning: 'reasoning', refuses: ['logit_bias'] },
  vllm: { chat: '/v1', messages: '', reasoning: 'reasoning', errors: 'number' },
  sglang: { chat: '/v1' },
  llamacpp: { chat: '/v1', messages: '' },
  lmstudio: { chat: '/v1', messages: '', responses: '/v1' },
  github: { chat: '/inference', reasoning: 'none', hidesModels: true },
  cloudflare: {
    chat: '/client/v4/accounts/1/ai/v1',
    reasoning: 'none',
    errors: 'errors',
    hidesModels: true,
  },
  huggingface: { chat: '/v1', reasoning: 'reasoning', errors: 'text' },
}
