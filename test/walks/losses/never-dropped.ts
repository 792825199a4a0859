import { type FormName } from '../streams/forms.ts'

/** What is refused whatever the policy, where the account does not speak one of `takes`. */
export interface NeverDropped {
  /** As the page about translation lists it. */
  readonly listed: string
  readonly client: Speaker
  readonly takes: readonly Speaker[]
  readonly fields: Readonly<Record<string, unknown>>
  /** As the refusal names it. */
  readonly field: string
}

export type Speaker = Exclude<FormName, 'generate-array'>

export const speakers: readonly Speaker[] = ['responses', 'chat', 'messages', 'generate']

const hello = { role: 'user', content: 'Hello' }
const config = (generationConfig: object) => ({ generationConfig })
const only = (client: Speaker, fields: Record<string, unknown>): NeverDropped[] =>
  Object.keys(fields).map((field) => ({
    listed: field,
    client,
    takes: [client],
    fields: { [field]: fields[field] },
    field,
  }))

export const neverDropped: readonly NeverDropped[] = [
  {
    listed: 'n',
    client: 'chat',
    takes: ['chat', 'generate'],
    fields: { n: 2 },
    field: 'n',
  },
  {
    listed: 'candidateCount',
    client: 'generate',
    takes: ['chat', 'generate'],
    fields: config({ candidateCount: 2 }),
    field: 'generationConfig.candidateCount',
  },
  {
    listed: 'logprobs',
    client: 'chat',
    takes: ['responses', 'chat', 'generate'],
    fields: { logprobs: true },
    field: 'logprobs',
  },
  {
    listed: 'top_logprobs',
    client: 'responses',
    takes: ['responses', 'chat', 'generate'],
    fields: { top_logprobs: 2 },
    field: 'top_logprobs',
  },
  {
    listed: 'responseLogprobs',
    client: 'generate',
    takes: ['responses', 'chat', 'generate'],
    fields: config({ responseLogprobs: true }),
    field: 'generationConfig.responseLogprobs',
  },
  {
    listed: 'an answer to continue',
    client: 'chat',
    takes: ['chat', 'messages'],
    fields: { messages: [hello, { role: 'assistant', content: 'It is' }] },
    field: 'messages',
  },
  {
    listed: 'an answer to continue',
    client: 'messages',
    takes: ['messages'],
    fields: { messages: [hello, { role: 'assistant', content: 'It is' }] },
    field: 'messages[1]',
  },
  {
    listed: 'audio in a message',
    client: 'chat',
    takes: ['chat', 'generate'],
    fields: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } }],
        },
      ],
    },
    field: 'messages[0].content[0].input_audio',
  },
  {
    listed: 'tools of free text',
    client: 'responses',
    takes: ['responses', 'chat'],
    fields: { tools: [{ type: 'custom', name: 'run' }] },
    field: 'tools[0]',
  },
  ...only('chat', {
    logit_bias: { 50256: -100 },
    prediction: { type: 'content', content: 'Hello' },
    audio: { voice: 'alloy', format: 'wav' },
    modalities: ['text', 'audio'],
    web_search_options: {},
  }),
  ...only('responses', { background: true, prompt: { id: 'pmpt_1' } }),
  ...only('messages', {
    container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] },
    mcp_servers: [{ type: 'url', name: 'a', url: 'https://mcp.example' }],
    inference_geo: 'us',
    compaction: {},
  }),
  {
    listed: 'prompt_cache_options.prewarm',
    client: 'responses',
    takes: ['responses'],
    fields: { prompt_cache_options: { prewarm: true } },
    field: 'prompt_cache_options.prewarm',
  },
  ...only('generate', { cachedContent: 'cachedContents/1' }),
  {
    listed: 'speechConfig',
    client: 'generate',
    takes: ['generate'],
    fields: config({ speechConfig: { languageCode: 'de-DE' } }),
    field: 'generationConfig.speechConfig',
  },
  {
    listed: 'responseModalities',
    client: 'generate',
    takes: ['generate'],
    fields: config({ responseModalities: ['AUDIO'] }),
    field: 'generationConfig.responseModalities',
  },
]
