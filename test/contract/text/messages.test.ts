import { describeTable } from '../suite.ts'
import type { FieldRow } from '../rows.ts'
import { textAccounts } from './accounts.ts'

const says = (sentence: string) => `Endpoints, POST /v1/messages: ${sentence}`

const user = { role: 'user', content: 'hi' }
const weather = { name: 'weather', input_schema: { type: 'object' } }

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
    says: says('max_tokens, integer 1..8192'),
    field: 'max_tokens',
    type: 'integer',
    required: true,
    beside: { model: 'vendor-3-5-sonnet-20241022' },
    min: 1,
    max: 8192,
  },
  {
    says: says('max_tokens, integer'),
    field: 'max_tokens',
    type: 'integer',
    required: true,
    taken: [1, 64_000],
    refused: [-1],
  },
  {
    says: 'Limits: messages list, at least 1 item',
    field: 'messages',
    type: 'array',
    required: true,
    unit: user,
    min: 1,
    taken: [[{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]],
    refusedInTranslation: [[1], ['text'], [null]],
  },
  {
    says: says('opaque tracking metadata'),
    field: 'metadata',
    type: 'object',
    taken: [{ user_id: 'u' }],
  },
  {
    says: 'Limits: messages stop sequences, up to 4',
    field: 'stop_sequences',
    type: 'array',
    unit: 'end',
    max: 4,
    refused: [[1], [null]],
  },
  { says: says('stream flag'), field: 'stream', type: 'boolean', taken: [true, false] },
  {
    says: says('system prompt'),
    field: 'system',
    type: 'string',
    refusedInTranslation: [[1], ['text']],
    taken: ['Be brief.', [], [{ type: 'text', text: 'Be brief.' }]],
  },
  {
    says: 'Limits: temperature, 0..1 (messages)',
    field: 'temperature',
    type: 'number',
    min: 0,
    max: 1,
  },
  {
    says: says('tool choice'),
    field: 'tool_choice',
    type: 'object',
    beside: { tools: [weather] },
    taken: [{ type: 'auto' }, { type: 'any' }, { type: 'tool', name: 'weather' }],
  },
  { says: says('tool list'), field: 'tools', type: 'array', taken: [[], [weather]] },
  { says: 'Limits: messages top-K, >= 1', field: 'top_k', type: 'integer', min: 1 },
  { says: 'Limits: top_p, 0..1', field: 'top_p', type: 'number', min: 0, max: 1 },
]

describeTable({
  target: {
    title: 'POST /v1/messages',
    path: '/v1/messages',
    dialect: 'messages',
    encodings: ['json'],
    headers: { 'provider-version': '2023-06-01' },
    valid: () => ({ model: 'm', max_tokens: 16, messages: [user] }),
  },
  accounts: textAccounts,
  rows,
})
