import type { Preset } from '../../src/kit/preset-row.ts'
import { preset } from '../../src/kit/preset.ts'

const reasoning = { turns: { reasoning: 'reasoning' } } as const
const noReasoning = { turns: { reasoning: 'none' } } as const
const reasoningContent = { turns: { reasoning: 'reasoning_content' } } as const

const unknown = 'the provider does not have it'
const ignored = 'the provider ignores it'
const fixed = 'the model decides it itself'

/** An answer without what these ask for is another answer. Values that ask for nothing are left out. */
const logprobs = {
  replace: { logprobs: { false: {} }, top_logprobs: { 0: {} } },
  refuse: { logprobs: unknown, top_logprobs: unknown, logit_bias: unknown },
} as const
const oneChoice = {
  replace: { n: { 1: {} } },
  refuse: { n: 'the provider gives one choice' },
} as const

/** OpenAI has 20. */
const fewLogprobs = {
  nearest: {
    top_logprobs: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [index + 9, 8])),
  },
}

/** The efforts of models that have `low`, `high` and `max`. */
const threeEfforts = { reasoning_effort: { minimal: 'low', medium: 'high', xhigh: 'max' } }
const notThinking = { reasoning_effort: { none: { thinking: { type: 'disabled' } } } }

const kimi = {
  drop: {
    frequency_penalty: fixed,
    presence_penalty: fixed,
    seed: unknown,
    temperature: fixed,
    top_p: fixed,
  },
} as const

/** Servers with an API like OpenAI's, by the names of their providers (docs/providers.md). */
export const presets = {
  openrouter: preset({
    baseUrl: 'https://openrouter.ai/api/v1',
    speaks: ['chat', 'responses', 'messages', 'embeddings', 'rerank'],
    baseUrls: { messages: 'https://openrouter.ai/api' },
    ...reasoning,
    // Everybody may list its models.
    freeCall: '/v1/key',
    reportsCost: true,
  }),
  groq: preset({
    baseUrl: 'https://api.groq.com/openai/v1',
    speaks: ['chat', 'embeddings', 'audio'],
    ifNamed: ['responses'],
    outputLimitField: 'max_completion_tokens',
    body: {
      replace: { ...logprobs.replace, ...oneChoice.replace },
      refuse: { ...logprobs.refuse, ...oneChoice.refuse },
    },
    turns: { reasoning: 'reasoning', drop: { name: unknown } },
    // No capacity for the service tier `flex`.
    errorStatuses: { 498: 503 },
  }),
  mistral: preset({
    baseUrl: 'https://api.mistral.ai/v1',
    speaks: ['chat', 'embeddings', 'moderations'],
    dimensionsAs: 'output_dimension',
    body: {
      rename: { seed: 'random_seed' },
      replace: {
        ...logprobs.replace,
        modalities: { '["text"]': {} },
        store: { false: {} },
        tool_choice: { required: { tool_choice: 'any' } },
      },
      // Each stream ends with its usage.
      move: ['stream_options'],
      refuse: {
        ...logprobs.refuse,
        audio: unknown,
        modalities: unknown,
        web_search_options: unknown,
      },
      drop: {
        metadata: unknown,
        prompt_cache_key: unknown,
        prompt_cache_retention: unknown,
        safety_identifier: unknown,
        service_tier: unknown,
        store: unknown,
        user: unknown,
        verbosity: unknown,
      },
    },
    turns: {
      reasoning: 'thinking',
      continued: 'prefix',
      callIds: /^[A-Za-z0-9]{9}$/,
      drop: {
        annotations: unknown,
        audio: unknown,
        function_call: unknown,
        name: unknown,
        refusal: unknown,
      },
    },
  }),
  deepseek: preset({
    baseUrl: 'https://api.deepseek.com',
    speaks: ['chat', 'messages'],
    ifNamed: ['responses'],
    baseUrls: { messages: 'https://api.deepseek.com/anthropic' },
    lacks: ['json_schema'],
    body: {
      drop: { frequency_penalty: ignored, presence_penalty: ignored, seed: ignored },
      replace: notThinking,
      nearest: threeEfforts,
    },
    turns: { reasoning: 'reasoning_content', needsReasoning: 'answers' },
    models: [{ named: /\br1\b/i, ...noReasoning }],
  }),
  xai: preset({
    baseUrl: 'https://api.x.ai/v1',
    speaks: ['chat', 'responses', 'realtime'],
    keepsResponses: true,
    outputLimitField: 'max_completion_tokens',
    ...reasoningContent,
    body: fewLogprobs,
    models: [
      {
        named: /^grok-(?:3-mini|[4-9]|\d\d|code)(?!.*non-reasoning)/,
        body: {
          ...fewLogprobs,
          drop: { frequency_penalty: unknown, presence_penalty: unknown, stop: unknown },
        },
      },
    ],
  }),
  together: preset({
    baseUrl: 'https://api.together.ai/v1',
    speaks: ['chat', 'completions', 'embeddings', 'rerank', 'audio'],
    lacks: ['logprobs'],
    body: { replace: { logprobs: { true: { logprobs: 1 }, false: {} } } },
    ...reasoning,
  }),
  fireworks: preset({
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    speaks: ['chat', 'responses', 'messages', 'completions', 'embeddings'],
    baseUrls: { messages: 'https://api.fireworks.ai/inference' },
    ...reasoningContent,
  }),
  cerebras: preset({
    baseUrl: 'https://api.cerebras.ai/v1',
    speaks: ['chat', 'completions'],
    outputLimitField: 'max_completion_tokens',
    ...reasoning,
  }),
  perplexity: preset({
    baseUrl: 'https://api.perplexity.ai',
    speaks: ['chat', 'embeddings'],
    ifNamed: ['responses'],
    baseUrls: {
      responses: 'https://api.perplexity.ai/v1',
      embeddings: 'https://api.perplexity.ai/v1',
    },
    lacks: ['stop'],
    body: {
      refuse: { tools: 'Perplexity has no tools of clients' },
      drop: { seed: unknown, stop: unknown },
    },
    ...noReasoning,
    reportsCost: true,
    thinksInText: true,
    listsModels: false,
  }),
  cohere: preset({
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    speaks: ['chat', 'rerank'],
    baseUrls: { rerank: 'https://api.cohere.com/v2' },
    ...noReasoning,
    // A key that is invalid.
    errorStatuses: { 498: 401 },
    listsModels: false,
  }),
  moonshot: preset({
    baseUrl: 'https://api.moonshot.ai/v1',
    speaks: ['chat', 'messages'],
    ifNamed: ['responses'],
    baseUrls: { messages: 'https://api.moonshot.ai/anthropic' },
    body: { drop: { seed: unknown } },
    turns: { reasoning: 'reasoning_content', continued: 'partial', needsReasoning: 'calls' },
    models: [
      { named: /^kimi-k3/, body: { ...kimi, nearest: threeEfforts } },
      { named: /^kimi-/, body: kimi },
    ],
  }),
  zai: preset({
    baseUrl: 'https://api.z.ai/api/paas/v4',
    speaks: ['chat', 'messages'],
    baseUrls: { messages: 'https://api.z.ai/api/anthropic' },
    body: { replace: { ...notThinking, temperature: { 0: { do_sample: false } } } },
    ...reasoningContent,
    listsModels: false,
  }),
  qwen: preset({
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    speaks: ['chat', 'embeddings'],
    ifNamed: ['responses'],
    baseUrls: {
      responses: 'https://dashscope-intl.aliyuncs.com/api/v2/apps/protocols/compatible-mode/v1',
    },
    body: {
      drop: { frequency_penalty: ignored },
      replace: { reasoning_effort: { none: { enable_thinking: false } } },
    },
    ...reasoningContent,
  }),
  minimax: preset({
    baseUrl: 'https://api.minimax.io/v1',
    speaks: ['chat', 'messages'],
    ifNamed: ['responses'],
    baseUrls: { messages: 'https://api.minimax.io/anthropic' },
    body: oneChoice,
    turns: { reasoning: 'think-tags' },
    thinksInText: true,
    listsModels: false,
  }),
  ollama: local('http://localhost:11434', {
    speaks: ['chat', 'completions', 'embeddings'],
    ifNamed: ['responses', 'messages'],
    lacks: ['end_user', 'image_url'],
    body: { drop: { logit_bias: ignored }, ...oneChoice },
    ...reasoning,
  }),
  vllm: local('http://localhost:8000', {
    speaks: ['chat', 'completions', 'embeddings', 'rerank'],
    ifNamed: ['responses', 'messages'],
    lacks: ['end_user', 'image_detail', 'parallel_tool_calls'],
    ...reasoning,
  }),
  sglang: local('http://localhost:30000', reasoningContent),
  llamacpp: local('http://localhost:8080', {
    speaks: ['chat', 'embeddings', 'rerank'],
    ifNamed: ['messages'],
    ...reasoningContent,
  }),
  lmstudio: local('http://localhost:1234', {
    speaks: ['chat', 'completions', 'embeddings'],
    ifNamed: ['responses', 'messages'],
    keepsResponses: true,
    ...reasoningContent,
  }),
  github: preset({
    baseUrl: 'https://models.github.ai/inference',
    speaks: ['chat', 'embeddings'],
    ...noReasoning,
    models: [
      {
        named: /^openai\/(?:o\d|gpt-5)/,
        body: { rename: { max_tokens: 'max_completion_tokens' } },
      },
    ],
    listsModels: false,
  }),
  // The id of the customer is in the path.
  cloudflare: preset({ speaks: ['chat', 'embeddings'], ...noReasoning, listsModels: false }),
  huggingface: preset({
    baseUrl: 'https://router.huggingface.co/v1',
    ifNamed: ['responses'],
    ...reasoning,
  }),
}

/** A server of one's own, which may want no key. */
function local(origin: string, row: Preset) {
  const baseUrls = { messages: origin }
  return preset({ baseUrl: `${origin}/v1`, baseUrls, mayLackKey: true, ...row })
}
