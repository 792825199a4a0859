import type { AssistantPart, ToolCallPart, ToolResult, UserPart } from '../../generate/content.ts'
import type { GenerateRequest, Turn } from '../../generate/request.ts'
import type { Tool } from '../../generate/tools.ts'
import type { Feature } from '../../generate/unsupported.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const
const says = (...content: readonly UserPart[]): Turn => ({ role: 'user', content })
const answers = (...content: readonly AssistantPart[]): Turn => ({ role: 'assistant', content })
const question = says(text('What is “there”? ☂'))
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = {
  type: 'image',
  mediaType: 'image/png',
  source: { kind: 'data', base64: png },
} as const
const pdf = {
  type: 'file',
  mediaType: 'application/pdf',
  source: { kind: 'data', base64: 'JVBERi0=' },
} as const
const urlOf = (name: string) => ({ kind: 'url', url: `https://media.example/${name}` }) as const
const schema = {
  type: 'object',
  properties: { place: { type: 'string' } },
  required: ['place'],
  additionalProperties: false,
}
const look: Tool = { kind: 'function', name: 'look', description: 'Looks.', parameters: schema }
const hear: Tool = { ...look, name: 'hear', description: 'Hears.' }
const call = {
  type: 'tool_call',
  kind: 'function',
  id: 'call_1',
  name: 'look',
  arguments: '{"place":"Rome"}',
} as const
const returns = (result: Partial<ToolResult> = {}): Partial<GenerateRequest> => ({
  tools: [look],
  turns: [
    question,
    answers(call),
    { role: 'tool', results: [{ callId: 'call_1', content: [text('A market.')], ...result }] },
  ],
})

/** A request of the contract. */
export type SampleRequest = Partial<GenerateRequest>

/** A request without features. */
export function requestWith(sample: SampleRequest): GenerateRequest {
  const least = {
    stream: false,
    turns: [question],
    tools: [],
    sampling: {},
    fields: {},
    extras: [],
  }
  return { ...least, ...sample }
}

/** A request with one tool of a name, which the model has called and has to call again. */
export function requestOfTool(name: string): GenerateRequest {
  const named = { ...call, id: `call/${name}`, name }
  const result = { callId: named.id, name, content: [text('A market.')] }
  return requestWith({
    tools: [{ ...look, name }],
    toolChoice: { mode: 'required', only: [name] },
    turns: [question, answers(named), { role: 'tool', results: [result] }],
  })
}

/** The next request of a client after a reply with a call. */
export function requestAfter(content: readonly AssistantPart[]): GenerateRequest {
  const [, ...more] = returns().turns ?? []
  return requestWith({ ...returns(), turns: [question, answers(...content), ...more.slice(1)] })
}

/** The first call among parts. */
export function namedCall(content: readonly AssistantPart[] = []): ToolCallPart | undefined {
  return content.find((part) => part.type === 'tool_call')
}

/** Requests that every codec carries: they use no feature. */
export const plainRequests: Readonly<Record<string, SampleRequest>> = {
  'a question': {},
  'a streamed question': { stream: true },
  'a system text': { turns: [{ role: 'system', content: [text('Be brief.')] }, question] },
  'a conversation': { turns: [question, answers(text('A market.')), says(text('And here?'))] },
  'a limit and a temperature': { maxOutputTokens: 90, sampling: { temperature: 0.5 } },
  'a tool': { tools: [look, hear] },
  'a call and its result': returns(),
  'two calls and their results': {
    tools: [look, hear],
    turns: [
      question,
      answers(text('I look.'), call, { ...call, id: 'call_2', name: 'hear' }),
      {
        role: 'tool',
        results: [
          { callId: 'call_1', content: [text('A market.')] },
          { callId: 'call_2', content: [text('Bells.')] },
        ],
      },
    ],
  },
}

/** Requests with settings that a codec carries or reports as a loss. */
export const settingRequests: Readonly<Record<string, SampleRequest>> = {
  'a limit of the probability': { sampling: { topP: 0.9 } },
  'a call that is required': { tools: [look], toolChoice: { mode: 'required' } },
}

/** A request that uses a feature. */
interface FeatureRequest {
  readonly with: SampleRequest
  /** The same without the feature. Default: a question. */
  readonly without?: SampleRequest
  /** Another form in which a dialect may write it. */
  readonly otherwise?: SampleRequest
}

/** A request for each feature. */
export const featureRequests: Readonly<Record<Feature, FeatureRequest>> = {
  assistant_prefill: { with: { turns: [question, answers(text('It is'))] } },
  audio_input: {
    with: {
      turns: [
        says({
          type: 'audio',
          mediaType: 'audio/wav',
          source: { kind: 'data', base64: 'UklGRg==' },
        }),
      ],
    },
  },
  audio_url: {
    with: { turns: [says({ type: 'audio', mediaType: 'audio/wav', source: urlOf('a.wav') })] },
  },
  cache_key: { with: { cacheKey: 'cache-1' } },
  cache_points: {
    with: { turns: [says({ ...text('Hi'), cache: {} })] },
    without: { turns: [says(text('Hi'))] },
  },
  candidates: { with: { candidates: 2 } },
  custom_tools: { with: { tools: [{ kind: 'custom', name: 'run', description: 'Runs.' }] } },
  document_context: {
    with: { turns: [says({ ...pdf, title: 'Title' })] },
    without: { turns: [says(pdf)] },
  },
  empty_message: { with: { turns: [question, answers(text('Hi')), says(text(' '))] } },
  end_user: { with: { endUser: 'user-1' } },
  file_input: { with: { turns: [says(text('Read.'), pdf)] } },
  file_url: {
    with: { turns: [says({ type: 'file', source: urlOf('a.pdf') })] },
  },
  frequency_penalty: { with: { sampling: { frequencyPenalty: 0.5 } } },
  image_detail: {
    with: { turns: [says({ ...image, detail: 'low' })] },
    without: { turns: [says(image)] },
  },
  image_input: { with: { turns: [says(text('Look.'), image)] } },
  image_url: { with: { turns: [says({ type: 'image', source: urlOf('a.png') })] } },
  json_object: { with: { output: { kind: 'json' } } },
  json_schema: { with: { output: { kind: 'schema', schema } } },
  logprobs: { with: { logprobs: { top: 2 } } },
  metadata: { with: { metadata: { team: 'a' } } },
  parallel_tool_calls: {
    with: { tools: [look], parallelToolCalls: false },
    without: { tools: [look] },
  },
  presence_penalty: { with: { sampling: { presencePenalty: 0.5 } } },
  reasoning_budget: { with: { reasoning: { budget: 5000 } } },
  reasoning_effort: { with: { reasoning: { effort: 'high' } } },
  reasoning_history: {
    with: {
      turns: [
        question,
        answers({ type: 'reasoning', form: 'raw', text: 'Hm.' }, text('Hi')),
        question,
      ],
    },
    without: { turns: [question, answers(text('Hi')), question] },
  },
  reasoning_summary: {
    with: { reasoning: { effort: 'high', summary: 'detailed' } },
    without: { reasoning: { effort: 'high' } },
  },
  seed: { with: { sampling: { seed: 7 } } },
  service_tier: { with: { serviceTier: 'priority' } },
  stop: { with: { stop: ['END'] } },
  store: { with: { store: true } },
  strict_tools: {
    with: { tools: [{ ...look, strict: true }] },
    without: { tools: [{ ...look, strict: false }] },
  },
  system_midway: {
    with: {
      turns: [
        question,
        answers(text('Hi')),
        { role: 'system', content: [text('Be brief.')] },
        question,
      ],
    },
  },
  temperature_above_1: {
    with: { sampling: { temperature: 1.5 } },
    without: { sampling: { temperature: 1 } },
  },
  tool_output_schema: {
    with: { tools: [{ ...look, outputSchema: schema }] },
    without: { tools: [look] },
  },
  tool_result_failed: { with: returns({ failed: true }), without: returns() },
  tool_result_media: {
    with: returns({ content: [text('Look.'), image] }),
    without: returns({ content: [text('Look.')] }),
  },
  tool_result_stray: {
    with: {
      turns: [
        question,
        { role: 'tool', results: [{ callId: 'call_9', content: [text('Lost.')] }] },
      ],
    },
  },
  tool_subset: {
    with: { tools: [look, hear], toolChoice: { mode: 'auto', only: ['look'] } },
    without: { tools: [look, hear] },
    otherwise: { tools: [look] },
  },
  top_k: { with: { sampling: { topK: 40 } } },
  verbosity: { with: { verbosity: 'low' } },
}
