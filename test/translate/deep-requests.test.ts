import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import { askedOf } from './asking.ts'
import { type DialectName, dialectNames } from './clients/index.ts'
import { nested, nestedSchema, nestedText } from './deep.ts'

const schema = nestedSchema(1000)
const tool = { name: 'f', description: 'd' }

/** What is nested too deeply, and what its client calls it. */
const asked: readonly (readonly [client: DialectName, field: string, body: JsonObject])[] = [
  [
    'chat',
    'response_format.json_schema.schema',
    { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } },
  ],
  [
    'chat',
    'tools[0].function.parameters',
    { tools: [{ type: 'function', function: { ...tool, parameters: schema, strict: true } }] },
  ],
  [
    'chat',
    'functions[0].parameters',
    { tools: null, functions: [{ ...tool, parameters: schema }] },
  ],
  [
    'responses',
    'text.format.schema',
    { text: { format: { type: 'json_schema', name: 'n', schema } } },
  ],
  [
    'responses',
    'tools[0].parameters',
    { tools: [{ type: 'function', ...tool, parameters: schema }] },
  ],
  ['responses', 'tools', { tools: [{ type: 'function', ...tool, odd: nested(20_000) }] }],
  ['messages', 'tools[0].input_schema', { tools: [{ ...tool, input_schema: schema }] }],
  [
    'messages',
    'output_config.format.schema',
    { output_config: { format: { type: 'json_schema', schema } } },
  ],
  [
    'messages',
    'messages[0].content[0].input',
    {
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 'f', input: nested(20_000) }],
        },
      ],
    },
  ],
  [
    'generate',
    'tools[0].functionDeclarations[0].parameters',
    { tools: [{ functionDeclarations: [{ ...tool, parameters: nestedSchema(1500) }] }] },
  ],
  [
    'generate',
    'tools[0].function_declarations[0].parameters_json_schema',
    { tools: [{ function_declarations: [{ ...tool, parameters_json_schema: schema }] }] },
  ],
  ['generate', 'generationConfig.responseSchema', { generationConfig: { responseSchema: schema } }],
  [
    'generate',
    'generationConfig.responseJsonSchema',
    { generationConfig: { responseJsonSchema: schema } },
  ],
  [
    'generate',
    'contents[0].parts[0].functionCall.args',
    {
      contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: nested(20_000) } }] }],
    },
  ],
  [
    'generate',
    'contents[1].parts[0].functionResponse.response',
    {
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'f', response: nested(20_000) } }],
        },
      ],
    },
  ],
]

describe.each(asked)(
  'a client of %s is told that %s is nested too deeply',
  (client, field, body) => {
    test.each(dialectNames.filter((name) => name !== client))('for %s', async (account) => {
      await expect(askedOf({ client, account, stream: false, body })).rejects.toMatchObject({
        code: 'invalid_value',
        param: field,
        message: expect.stringContaining('nested at most 200 levels deep') as unknown,
      })
    })
  },
)

test.each(dialectNames.filter((name) => name !== 'chat'))(
  'arguments that are nested too deeply go to an account of %s like others that cannot be read',
  async (account) => {
    const called = { name: 'f', arguments: nestedText(20_000) }
    const { json } = await askedOf({
      client: 'chat',
      account,
      stream: false,
      body: {
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: called }] },
          { role: 'tool', tool_call_id: 'c', content: nestedText(20_000) },
        ],
      },
    })
    expect(JSON.stringify(json)).toContain(JSON.stringify(nestedText(20_000)))
  },
)

test('schemas as deep as anybody writes them are nobody’s trouble', async () => {
  for (const account of dialectNames.filter((name) => name !== 'chat')) {
    const function_ = { ...tool, parameters: nestedSchema(60), strict: true }
    const body = { tools: [{ type: 'function', function: function_ }] }
    const { json } = await askedOf({ client: 'chat', account, stream: false, body })
    expect(JSON.stringify(json)).toContain('"properties"')
  }
})
