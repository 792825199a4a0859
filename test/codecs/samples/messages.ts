import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type Samples, schema } from './sample.ts'

const hello = { role: 'user', content: 'Hello' }
const says = (...content: object[]): JsonObject => ({ messages: [{ role: 'user', content }] })
const look = { name: 'look', input_schema: schema }
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' }
const png = { type: 'base64', media_type: 'image/png', data: 'iVBO' }
const results = (more: object): JsonObject => ({
  messages: [
    hello,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Seen.', ...more }],
    },
  ],
})

/** What clients of messages can ask for. */
export const messagesSamples: Samples = {
  assistant_prefill: { with: { messages: [hello, { role: 'assistant', content: 'It is' }] } },
  audio_input: undefined,
  audio_url: undefined,
  cache_key: undefined,
  candidates: undefined,
  custom_tools: undefined,
  document_context: {
    with: says({ type: 'document', source: pdf, title: 'Report' }),
    without: says({ type: 'document', source: pdf }),
  },
  empty_message: undefined,
  end_user: { with: { metadata: { user_id: 'u-1' } } },
  file_input: { with: says({ type: 'document', source: pdf }) },
  file_url: {
    with: says({ type: 'document', source: { type: 'url', url: 'https://x.test/a.pdf' } }),
  },
  frequency_penalty: undefined,
  image_detail: undefined,
  image_input: { with: says({ type: 'image', source: png }) },
  image_url: { with: says({ type: 'image', source: { type: 'url', url: 'https://x.test/a' } }) },
  json_object: undefined,
  json_schema: { with: { output_config: { format: { type: 'json_schema', schema } } } },
  logprobs: undefined,
  metadata: undefined,
  parallel_tool_calls: {
    with: { tools: [look], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    without: { tools: [look], tool_choice: { type: 'auto' } },
  },
  presence_penalty: undefined,
  reasoning_budget: { with: { thinking: { type: 'enabled', budget_tokens: 2048 } } },
  reasoning_effort: { with: { output_config: { effort: 'high' } } },
  reasoning_history: {
    with: {
      messages: [
        hello,
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'Why', signature: 's' }] },
        hello,
      ],
    },
  },
  reasoning_summary: undefined,
  seed: undefined,
  service_tier: { with: { service_tier: 'standard_only' } },
  stop: { with: { stop_sequences: ['END'] } },
  store: undefined,
  strict_tools: { with: { tools: [{ ...look, strict: true }] }, without: { tools: [look] } },
  system_midway: {
    with: { messages: [hello, { role: 'system', content: 'Be brief.' }, hello] },
    without: { system: 'Be brief.', messages: [hello, hello] },
  },
  temperature_above_1: undefined,
  tool_output_schema: undefined,
  tool_result_failed: { with: results({ is_error: true }), without: results({}) },
  tool_result_media: {
    with: results({ content: [{ type: 'image', source: png }] }),
    without: results({}),
  },
  tool_result_stray: {
    with: {
      messages: [
        hello,
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_9', content: 'Seen.' }],
        },
      ],
    },
  },
  tool_subset: undefined,
  top_k: { with: { top_k: 40 } },
  verbosity: undefined,
}
