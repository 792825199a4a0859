import { describe } from 'vitest'

import { describeTable } from '../suite.ts'
import type { FieldRow } from '../rows.ts'
import { textAccounts } from './accounts.ts'

const says = (sentence: string) => `Endpoints, :generateContent: ${sentence}`

const content = { role: 'user', parts: [{ text: 'hi' }] }

const rows: readonly FieldRow[] = [
  {
    says: says('contents, array; each item has parts, an array of {text}'),
    field: 'contents',
    type: 'array',
    required: true,
    unit: content,
    min: 1,
    refusedInTranslation: [[1], ['text'], [null], [{}]],
  },
  {
    says: says('tools'),
    field: 'tools',
    type: 'array',
    refusedInTranslation: [{ a: 1 }],
    taken: [{}, [], [{ functionDeclarations: [{ name: 'weather' }] }]],
  },
  { says: says('tool configuration'), field: 'toolConfig', type: 'object', taken: [{}] },
  { says: says('safety settings'), field: 'safetySettings', type: 'array', taken: [[]] },
  {
    says: says('system instruction'),
    field: 'systemInstruction',
    type: 'object',
    taken: ['text', { parts: [{ text: 'Be brief.' }] }],
  },
  {
    says: says('generation configuration'),
    field: 'generationConfig',
    type: 'object',
    taken: [{}, { temperature: 1 }, { maxOutputTokens: 16 }],
  },
]

describe.each([':generateContent', ':streamGenerateContent'])('%s', (action) => {
  describeTable({
    target: {
      title: `POST /v1beta/models/{model}${action}`,
      path: `/v1beta/models/m${action}`,
      dialect: 'generate',
      encodings: ['json'],
      valid: () => ({ contents: [content] }),
    },
    accounts: textAccounts,
    rows,
  })
})
