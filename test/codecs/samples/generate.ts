import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type Samples, schema } from './sample.ts'

const hello = { role: 'user', parts: [{ text: 'Hello' }] }
const says = (...parts: object[]): JsonObject => ({ contents: [{ role: 'user', parts }] })
const config = (generationConfig: object): JsonObject => ({ generationConfig })
const look = { name: 'look', parametersJsonSchema: schema }
const hear = { name: 'hear', parametersJsonSchema: schema }
const bytes = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } })
const linked = (mimeType: string) => ({ fileData: { mimeType, fileUri: 'https://x.test/a' } })
const results = (more: object): JsonObject => ({
  contents: [
    hello,
    { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
    {
      role: 'user',
      parts: [{ functionResponse: { name: 'look', response: { output: 'Seen.' }, ...more } }],
    },
  ],
})

/** What clients of `generateContent` can ask for. */
export const generateSamples: Samples = {
  assistant_prefill: {
    with: { contents: [hello, { role: 'model', parts: [{ text: 'It is' }] }] },
  },
  audio_input: { with: says(bytes('audio/wav', 'UklG')) },
  audio_url: { with: says(linked('audio/wav')) },
  cache_key: undefined,
  candidates: { with: config({ candidateCount: 2 }) },
  custom_tools: undefined,
  document_context: undefined,
  empty_message: {
    with: { contents: [hello, { role: 'user', parts: [{ text: ' ' }] }] },
    without: { contents: [hello] },
  },
  end_user: undefined,
  file_input: { with: says(bytes('application/pdf', 'JVBE')) },
  file_url: { with: says(linked('application/pdf')) },
  frequency_penalty: { with: config({ frequencyPenalty: 1 }) },
  image_detail: undefined,
  image_input: { with: says(bytes('image/png', 'iVBO')) },
  image_url: { with: says(linked('image/png')) },
  json_object: { with: config({ responseMimeType: 'application/json' }) },
  json_schema: { with: config({ responseJsonSchema: schema }) },
  logprobs: { with: config({ responseLogprobs: true, logprobs: 2 }) },
  metadata: undefined,
  parallel_tool_calls: undefined,
  presence_penalty: { with: config({ presencePenalty: 1 }) },
  reasoning_budget: { with: config({ thinkingConfig: { thinkingBudget: 2048 } }) },
  reasoning_effort: { with: config({ thinkingConfig: { thinkingLevel: 'HIGH' } }) },
  reasoning_history: {
    with: {
      contents: [hello, { role: 'model', parts: [{ text: 'Why', thought: true }] }, hello],
    },
  },
  reasoning_summary: undefined,
  seed: { with: config({ seed: 7 }) },
  service_tier: { with: { serviceTier: 'PRIORITY' } },
  stop: { with: config({ stopSequences: ['END'] }) },
  store: { with: { store: true } },
  strict_tools: undefined,
  system_midway: {
    with: { contents: [hello, { role: 'system', parts: [{ text: 'Be brief.' }] }, hello] },
    without: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [hello, hello],
    },
  },
  temperature_above_1: {
    with: config({ temperature: 1.5 }),
    without: config({ temperature: 1 }),
  },
  tool_output_schema: {
    with: { tools: [{ functionDeclarations: [{ ...look, responseJsonSchema: schema }] }] },
    without: { tools: [{ functionDeclarations: [look] }] },
  },
  tool_result_failed: {
    with: results({ response: { error: 'Broken.' } }),
    without: results({ response: { output: 'Broken.' } }),
  },
  tool_result_media: {
    with: results({ parts: [bytes('image/png', 'iVBO')] }),
    without: results({}),
  },
  tool_result_stray: undefined,
  tool_subset: {
    with: {
      tools: [{ functionDeclarations: [look, hear] }],
      toolConfig: {
        functionCallingConfig: { mode: 'VALIDATED', allowedFunctionNames: ['look'] },
      },
    },
    without: { tools: [{ functionDeclarations: [look, hear] }] },
  },
  top_k: { with: config({ topK: 40 }) },
  verbosity: undefined,
}
