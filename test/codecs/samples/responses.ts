import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type Samples, schema } from './sample.ts'

const hello = { role: 'user', content: 'Hello' }
const says = (...content: object[]): JsonObject => ({ input: [{ role: 'user', content }] })
const look = { type: 'function', name: 'look', parameters: schema, strict: false }
const hear = { ...look, name: 'hear' }
const png = 'data:image/png;base64,iVBO'
const image = (image_url: string) => ({ type: 'input_image', image_url })
const results = (output: unknown): JsonObject => ({
  input: [
    hello,
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output },
  ],
})

/** What clients of Responses can ask for. */
export const responsesSamples: Samples = {
  assistant_prefill: undefined,
  audio_input: {
    with: says({ type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } }),
  },
  audio_url: undefined,
  cache_key: { with: { prompt_cache_key: 'k' } },
  candidates: undefined,
  custom_tools: { with: { tools: [{ type: 'custom', name: 'run' }] } },
  document_context: undefined,
  empty_message: {
    with: { input: [hello, { role: 'user', content: ' ' }] },
    without: { input: [hello] },
  },
  end_user: { with: { safety_identifier: 'u-1' } },
  file_input: {
    with: says({ type: 'input_file', filename: 'a.pdf', file_data: 'JVBERi0=' }),
  },
  file_url: { with: says({ type: 'input_file', file_url: 'https://x.test/a.pdf' }) },
  frequency_penalty: { with: { frequency_penalty: 1 } },
  image_detail: { with: says({ ...image(png), detail: 'low' }), without: says(image(png)) },
  image_input: { with: says(image(png)) },
  image_url: { with: says(image('https://x.test/a.png')) },
  json_object: { with: { text: { format: { type: 'json_object' } } } },
  json_schema: { with: { text: { format: { type: 'json_schema', name: 'n', schema } } } },
  logprobs: { with: { top_logprobs: 2 } },
  metadata: { with: { metadata: { a: 'b' } } },
  parallel_tool_calls: {
    with: { tools: [look], parallel_tool_calls: false },
    without: { tools: [look] },
  },
  presence_penalty: { with: { presence_penalty: 1 } },
  reasoning_budget: undefined,
  reasoning_effort: { with: { reasoning: { effort: 'high' } } },
  reasoning_history: {
    with: {
      input: [hello, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' }],
    },
  },
  reasoning_summary: { with: { reasoning: { summary: 'detailed' } } },
  seed: undefined,
  service_tier: { with: { service_tier: 'default' } },
  stop: undefined,
  store: undefined,
  strict_tools: { with: { tools: [{ ...look, strict: true }] }, without: { tools: [look] } },
  system_midway: {
    with: { input: [hello, { role: 'system', content: 'Be brief.' }, hello] },
    without: { input: [{ role: 'system', content: 'Be brief.' }, hello, hello] },
  },
  temperature_above_1: { with: { temperature: 1.5 }, without: { temperature: 1 } },
  tool_output_schema: {
    with: { tools: [{ ...look, output_schema: schema }] },
    without: { tools: [look] },
  },
  tool_result_failed: undefined,
  tool_result_media: { with: results([image(png)]), without: results('Seen.') },
  tool_result_stray: {
    with: { input: [hello, { type: 'function_call_output', call_id: 'call_9', output: 'Seen.' }] },
  },
  tool_subset: {
    with: {
      tools: [look, hear],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'look' }],
      },
    },
    without: { tools: [look, hear] },
  },
  top_k: undefined,
  verbosity: { with: { text: { verbosity: 'low' } } },
}
