import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type Samples, schema } from './sample.ts'

const hello = { role: 'user', content: 'Hello' }
const says = (...content: object[]): JsonObject => ({ messages: [{ role: 'user', content }] })
const look = { type: 'function', function: { name: 'look', parameters: schema } }
const hear = { type: 'function', function: { name: 'hear', parameters: schema } }
const called = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
const png = 'data:image/png;base64,iVBO'
const image = (url: string, detail?: string) => ({ type: 'image_url', image_url: { url, detail } })
const file = (file_data: string) => ({ type: 'file', file: { filename: 'a.pdf', file_data } })
const results = (content: unknown): JsonObject => ({
  messages: [
    hello,
    { role: 'assistant', content: null, tool_calls: [called] },
    { role: 'tool', tool_call_id: 'call_1', content },
  ],
})

/** What clients of chat completions can ask for. */
export const chatSamples: Samples = {
  assistant_prefill: { with: { messages: [hello, { role: 'assistant', content: 'It is' }] } },
  audio_input: {
    with: says({ type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } }),
  },
  audio_url: undefined,
  cache_key: { with: { prompt_cache_key: 'k' } },
  candidates: { with: { n: 2 } },
  custom_tools: { with: { tools: [{ type: 'custom', custom: { name: 'run' } }] } },
  document_context: undefined,
  empty_message: {
    with: { messages: [hello, { role: 'user', content: ' ' }] },
    without: { messages: [hello] },
  },
  end_user: { with: { safety_identifier: 'u-1' } },
  file_input: { with: says(file('data:application/pdf;base64,JVBE')) },
  file_url: { with: says(file('https://x.test/a.pdf')) },
  frequency_penalty: { with: { frequency_penalty: 1 } },
  image_detail: { with: says(image(png, 'low')), without: says(image(png)) },
  image_input: { with: says(image(png)) },
  image_url: { with: says(image('https://x.test/a.png')) },
  json_object: { with: { response_format: { type: 'json_object' } } },
  json_schema: {
    with: { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } },
  },
  logprobs: { with: { logprobs: true, top_logprobs: 2 } },
  metadata: { with: { metadata: { a: 'b' } } },
  parallel_tool_calls: {
    with: { tools: [look], parallel_tool_calls: false },
    without: { tools: [look] },
  },
  presence_penalty: { with: { presence_penalty: 1 } },
  reasoning_budget: undefined,
  reasoning_effort: { with: { reasoning_effort: 'high' } },
  reasoning_history: {
    with: {
      messages: [hello, { role: 'assistant', content: 'Hi', reasoning_content: 'Why' }, hello],
    },
  },
  reasoning_summary: undefined,
  seed: { with: { seed: 7 } },
  service_tier: { with: { service_tier: 'default' } },
  stop: { with: { stop: ['END'] } },
  store: { with: { store: true } },
  strict_tools: {
    with: { tools: [{ type: 'function', function: { ...look.function, strict: true } }] },
    without: { tools: [look] },
  },
  system_midway: {
    with: { messages: [hello, { role: 'system', content: 'Be brief.' }, hello] },
    without: { messages: [{ role: 'system', content: 'Be brief.' }, hello, hello] },
  },
  temperature_above_1: { with: { temperature: 1.5 }, without: { temperature: 1 } },
  tool_output_schema: undefined,
  tool_result_failed: undefined,
  tool_result_media: { with: results([image(png)]), without: results('Seen.') },
  tool_result_stray: {
    with: { messages: [hello, { role: 'tool', tool_call_id: 'call_9', content: 'Seen.' }] },
  },
  tool_subset: {
    with: {
      tools: [look, hear],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [look] } },
    },
    without: { tools: [look, hear] },
  },
  top_k: undefined,
  verbosity: { with: { verbosity: 'low' } },
}
