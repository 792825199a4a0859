import { describeTable } from '../suite.ts'
import type { FieldRow } from '../rows.ts'
import { textAccounts } from './accounts.ts'

const says = (sentence: string) => `Endpoints, POST /v1/responses: ${sentence}`

const user = { role: 'user', content: 'hi' }
const weather = { type: 'function', name: 'weather', parameters: { type: 'object' } }

const rows: readonly FieldRow[] = [
  {
    says: says('Required: model'),
    field: 'model',
    type: 'string',
    required: true,
    notBlank: true,
    taken: ['m', 'publisher/m'],
  },
  {
    says: says('input, string or array of input items'),
    field: 'input',
    type: 'array',
    required: true,
    unit: user,
    taken: ['hi', 'text', [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]],
    refusedInTranslation: [[1], ['text'], [null], [{}]],
  },
  {
    says: says('instructions, string or null'),
    field: 'instructions',
    type: 'string',
    taken: ['Be brief.'],
  },
  {
    says: says('chaining rule 6: empty, whitespace-only or non-string previous_response_id'),
    field: 'previous_response_id',
    type: 'string',
    notBlank: true,
    envelope: 'chaining',
  },
  {
    says: says('conversation, string or object'),
    field: 'conversation',
    type: 'string',
    notBlank: true,
    refused: [{}, { id: 7 }, { id: '' }],
  },
  {
    says: says('stream, boolean, default false'),
    field: 'stream',
    type: 'boolean',
    taken: [true, false],
  },
  {
    says: says('stream_options, object, only with stream true'),
    field: 'stream_options',
    type: 'object',
    beside: { stream: true },
    taken: [{ include_obfuscation: false }],
  },
  {
    says: says('stream_options, only with stream true'),
    field: 'stream_options',
    type: 'object',
    refused: [{ include_obfuscation: false }],
  },
  { says: says('store, boolean'), field: 'store', type: 'boolean', taken: [true, false] },
  {
    says: says('parallel_tool_calls, boolean'),
    field: 'parallel_tool_calls',
    type: 'boolean',
    beside: { tools: [weather] },
    taken: [true, false],
  },
  {
    says: says('include, array of strings'),
    field: 'include',
    type: 'array',
    taken: [[], ['reasoning.encrypted_content'], ['message.output_text.logprobs']],
    refused: [[1], [null], [{}], ['other']],
    mayLack: true,
  },
  {
    says: says('max_output_tokens, integer'),
    field: 'max_output_tokens',
    type: 'integer',
    taken: [16, 4096],
    refused: [-1],
  },
  {
    says: says('max_tool_calls, integer'),
    field: 'max_tool_calls',
    type: 'integer',
    taken: [3],
    refused: [-1],
  },
  { says: 'Limits: temperature, 0..2', field: 'temperature', type: 'number', min: 0, max: 2 },
  { says: 'Limits: top_p, 0..1', field: 'top_p', type: 'number', min: 0, max: 1 },
  {
    says: 'Limits: top_logprobs, 0..20',
    field: 'top_logprobs',
    type: 'integer',
    min: 0,
    max: 20,
    mayLack: true,
  },
  {
    says: says('text, object: format.type text, json_object or json_schema'),
    field: 'text',
    type: 'object',
    taken: [{ format: { type: 'text' } }],
  },
  {
    says: says('reasoning, object: effort, summary'),
    field: 'reasoning',
    type: 'object',
    taken: [{ effort: 'medium' }],
  },
  { says: says('tools, array'), field: 'tools', type: 'array', taken: [[], [weather]] },
  {
    says: says('tool_choice: none, auto, required'),
    field: 'tool_choice',
    type: 'string',
    beside: { tools: [weather] },
    words: ['none', 'auto', 'required'],
    taken: [{ type: 'function', name: 'weather' }],
  },
  {
    says: says('truncation, auto or disabled'),
    field: 'truncation',
    type: 'string',
    words: ['auto', 'disabled'],
  },
  {
    says: says('service_tier, string'),
    field: 'service_tier',
    type: 'string',
    taken: ['default', 'scale'],
  },
  { says: says('metadata, object'), field: 'metadata', type: 'object', taken: [{ a: 'b' }] },
  { says: says('user, string'), field: 'user', type: 'string', taken: ['u'] },
  {
    says: says('safety_identifier, string'),
    field: 'safety_identifier',
    type: 'string',
    taken: ['u'],
  },
  {
    says: says('prompt_cache_key, string'),
    field: 'prompt_cache_key',
    type: 'string',
    taken: ['k'],
  },
  {
    says: says('prompt, string, main instruction text'),
    field: 'prompt',
    type: 'string',
    taken: ['Be brief.'],
    // An object is a prompt that the provider stores.
    refusedInTranslation: [{}, { a: 1 }],
  },
]

describeTable({
  target: {
    title: 'POST /v1/responses',
    path: '/v1/responses',
    dialect: 'responses',
    encodings: ['json'],
    valid: () => ({ model: 'm', input: 'hi' }),
  },
  accounts: textAccounts,
  rows,
})
