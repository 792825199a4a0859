import { describeTable } from '../suite.ts'
import type { FieldRow } from '../rows.ts'
import { textAccounts } from './accounts.ts'

const says = (sentence: string) => `Endpoints, POST /v1/chat/completions: ${sentence}`

const user = { role: 'user', content: 'hi' }
const weather = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }
const oldWeather = { name: 'weather', parameters: { type: 'object' } }

const unnamed = (sentence: string) =>
  says(`Parameters whose field names are not named: ${sentence}`)
const named = { name: 'weather', schema: { type: 'object' } }

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
    says: 'Limits: messages list, at least 1 item',
    field: 'messages',
    type: 'array',
    required: true,
    unit: user,
    min: 1,
    refusedInTranslation: [[1], ['text'], [null]],
  },
  { says: says('metadata, object'), field: 'metadata', type: 'object', taken: [{ a: 'b' }] },
  {
    says: 'Limits: top_logprobs, 0..20',
    field: 'top_logprobs',
    type: 'integer',
    beside: { logprobs: true },
    min: 0,
    max: 20,
    mayLack: true,
    named: 'logprobs',
  },
  {
    says: says('top_logprobs requires logprobs true'),
    field: 'top_logprobs',
    type: 'integer',
    refused: [3],
  },
  {
    says: says('top_logprobs requires logprobs true'),
    field: 'top_logprobs',
    type: 'integer',
    beside: { logprobs: false },
    refused: [3],
  },
  {
    says: says('stream_options, object'),
    field: 'stream_options',
    type: 'object',
    beside: { stream: true },
    taken: [{ include_usage: true }],
  },
  {
    says: says('logprobs, boolean'),
    field: 'logprobs',
    type: 'boolean',
    taken: [true, false],
    mayLack: true,
  },
  { says: 'Limits: temperature, 0..2', field: 'temperature', type: 'number', min: 0, max: 2 },
  { says: 'Limits: top_p, 0..1', field: 'top_p', type: 'number', min: 0, max: 1 },
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
    says: says('service_tier, string'),
    field: 'service_tier',
    type: 'string',
    taken: ['default', 'scale'],
  },
  {
    says: says('modalities, array'),
    field: 'modalities',
    type: 'array',
    taken: [['text']],
    refused: [[1], [null]],
  },
  {
    says: says('max_completion_tokens, integer'),
    field: 'max_completion_tokens',
    type: 'integer',
    taken: [16],
    refused: [-1],
  },
  {
    says: says('max_tokens, integer'),
    field: 'max_tokens',
    type: 'integer',
    taken: [16],
    refused: [-1],
  },
  { says: 'Limits: chat n, 1..128', field: 'n', type: 'integer', min: 1, max: 128, mayLack: true },
  {
    says: says('seed, integer, about -9223372036854776000 to 9223372036854776000'),
    field: 'seed',
    type: 'integer',
    taken: [0, 7, -7, 9223372036854776000, -9223372036854776000],
    refused: [1e19, -1e19],
  },
  { says: says('stream, boolean'), field: 'stream', type: 'boolean', taken: [true, false] },
  { says: says('store, boolean'), field: 'store', type: 'boolean', taken: [true, false] },
  {
    says: says('tools, array of function tools'),
    field: 'tools',
    type: 'array',
    taken: [[], [weather]],
  },
  {
    says: says('tool_choice: auto, none, required'),
    field: 'tool_choice',
    type: 'string',
    beside: { tools: [weather] },
    words: ['auto', 'none', 'required'],
    taken: [{ type: 'function', function: { name: 'weather' } }],
  },
  {
    says: says('parallel_tool_calls, boolean'),
    field: 'parallel_tool_calls',
    type: 'boolean',
    beside: { tools: [weather] },
    taken: [true, false],
  },
  {
    says: says('function_call: none, auto, or {name}'),
    field: 'function_call',
    type: 'string',
    beside: { functions: [oldWeather] },
    words: ['none', 'auto'],
    taken: [{ name: 'weather' }],
  },
  {
    says: 'Limits: chat functions, 1..128 items',
    field: 'functions',
    type: 'array',
    unit: oldWeather,
    min: 1,
    max: 128,
  },
  {
    says: 'Limits: chat frequency and presence penalties, -2.0..2.0',
    field: 'frequency_penalty',
    type: 'number',
    min: -2,
    max: 2,
  },
  {
    says: 'Limits: chat frequency and presence penalties, -2.0..2.0',
    field: 'presence_penalty',
    type: 'number',
    min: -2,
    max: 2,
  },
  {
    says: 'Limits: chat stop sequences, up to 4',
    field: 'stop',
    type: 'array',
    unit: 'end',
    max: 4,
    taken: ['end', 'text'],
    refused: [[1], [null]],
  },
  {
    says: 'Limits: chat logit bias values, -100..100',
    field: 'logit_bias',
    type: 'object',
    taken: [{}, { 50256: -100 }, { 50256: 100 }],
    refused: [{ 50256: -101 }, { 50256: 101 }, { 50256: '1' }, { 50256: null }],
    mayLack: true,
  },
  {
    says: unnamed('output verbosity (low, medium, high)'),
    field: 'verbosity',
    type: 'string',
    words: ['low', 'medium', 'high'],
  },
  {
    says: unnamed('reasoning effort (minimal, low, medium, high)'),
    field: 'reasoning_effort',
    type: 'string',
    notBlank: true,
    // Providers have further words: docs/wire/contract.md 3.
    taken: ['minimal', 'low', 'medium', 'high', 'none', 'xhigh', 'max'],
    refusedInTranslation: ['text', 'other', 'LOW', 'low '],
  },
  {
    says: unnamed('response format (text, json_object, json_schema with a schema)'),
    field: 'response_format',
    type: 'object',
    taken: [
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema', json_schema: named },
      { type: 'json_schema', json_schema: { name: 'weather', schema: null } },
    ],
    refused: [
      'json_object',
      {},
      { a: 1 },
      { type: 'other' },
      { type: 'TEXT' },
      { type: null },
      { type: 7 },
      { type: ['text'] },
      { type: 'json_schema' },
      { type: 'json_schema', json_schema: null },
      { type: 'json_schema', json_schema: 'weather' },
      { type: 'json_schema', json_schema: [named] },
    ],
    refusedInTranslation: [
      { type: 'json_schema', json_schema: { name: 'weather', schema: 'text' } },
      { type: 'json_schema', json_schema: { name: 'weather', schema: [] } },
    ],
  },
]

describeTable({
  target: {
    title: 'POST /v1/chat/completions',
    path: '/v1/chat/completions',
    dialect: 'chat',
    encodings: ['json'],
    valid: () => ({ model: 'm', messages: [user] }),
  },
  accounts: textAccounts,
  rows,
})
