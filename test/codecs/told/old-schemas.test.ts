import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { ask } from './telling.ts'

const model = 'claude-sonnet-4-5'
const number = { type: 'number' }
const old = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    pair: {
      type: 'array',
      items: [number, { $ref: '#/definitions/unit' }],
      additionalItems: false,
    },
    above: { ...number, minimum: 0, exclusiveMinimum: true },
    below: { ...number, maximum: 9, exclusiveMaximum: false },
    items: { enum: [{ items: [1], definitions: {} }] },
    second: { $ref: '#/properties/pair/items/1' },
    definitions: { $ref: '#/properties/definitions' },
  },
  definitions: { unit: { type: 'string' } },
}
const modern = {
  type: 'object',
  properties: {
    pair: { type: 'array', prefixItems: [number, { $ref: '#/$defs/unit' }], items: false },
    above: { ...number, exclusiveMinimum: 0 },
    below: { ...number, maximum: 9 },
    items: old.properties.items,
    second: { $ref: '#/properties/pair/prefixItems/1' },
    definitions: { $ref: '#/properties/definitions' },
  },
  $defs: { unit: { type: 'string' } },
}

const tools = {
  chat: (parameters: object, strict?: boolean) => ({
    tools: [{ type: 'function', function: { name: 'put', parameters, strict } }],
  }),
  responses: (parameters: object, strict?: boolean) => ({
    tools: [{ type: 'function', name: 'put', parameters, strict }],
  }),
}
const formats = {
  chat: (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
  }),
  responses: (schema: object) => ({ text: { format: { type: 'json_schema', name: 'n', schema } } }),
}
const toolIn = ({ tools: sent }: JsonObject) => (sent as JsonObject[])[0]!

describe.each(['chat', 'responses'] as const)('a client of %s', (client) => {
  test('has its schemas of older drafts read by an account of the newest', () => {
    const { body } = ask('messages', model, client, tools[client](old, false))
    expect(toolIn(body).input_schema).toEqual(modern)
  })

  test('has definitions of an enforced schema found', () => {
    const properties = { unit: { $ref: '#/definitions/unit' } }
    const schema = { type: 'object', properties, definitions: { unit: { type: 'string' } } }
    const { body, lost } = ask('messages', model, client, formats[client](schema))
    expect(body).toMatchObject({
      output_config: {
        format: { schema: { properties: { unit: { $ref: '#/$defs/unit' } }, $defs: {} } },
      },
    })
    expect(JSON.stringify(body)).not.toContain('definitions')
    expect(lost).toEqual({})
  })

  test('keeps both kinds of definitions, whose names may be the same', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/definitions/a' }, b: { $ref: '#/$defs/a' } },
      definitions: { a: number },
      $defs: { a: { type: 'string' } },
    }
    const { body } = ask('messages', model, client, tools[client](schema, false))
    expect(toolIn(body).input_schema).toEqual(schema)
  })

  test.each([
    ['a map', { type: 'object', additionalProperties: number }],
    ['a map of anything', { type: 'object', properties: {}, additionalProperties: true }],
    ['a map by pattern', { type: 'object', patternProperties: { '^a': number } }],
    ['a free object', { type: 'object' }],
    ['an old tuple', { type: 'array', items: [number, number] }],
    ['a tuple', { type: 'array', prefixItems: [number] }],
    ['a list of maps', { type: 'array', items: { type: 'object', additionalProperties: number } }],
  ])('is not made to get an empty answer by %s', (_, member) => {
    const schema = { type: 'object', properties: { m: member }, additionalProperties: false }
    const answer = ask('messages', model, client, formats[client](schema))
    expect(answer.body.output_config).toBeUndefined()
    expect(JSON.stringify(answer.body)).toContain('fits this JSON Schema')
    expect(Object.values(answer.lost)).toEqual([expect.stringContaining('the prompt contains it')])

    const tool = ask('messages', model, client, tools[client](schema, true))
    expect(toolIn(tool.body)).not.toHaveProperty('strict')
    expect(Object.values(tool.lost)).toEqual([expect.stringContaining('without `strict`')])
  })

  test('hears which constraints of a strict tool are only described', () => {
    const schema = { type: 'object', properties: { n: { ...number, minimum: 1 } } }
    const { body, lost } = ask('messages', model, client, tools[client](schema, true))
    expect(toolIn(body)).toMatchObject({ strict: true })
    expect(lost).toEqual({ tools: expect.stringContaining('described') })
    const free = ask('messages', model, client, tools[client]({ type: 'object' }, true))
    expect(toolIn(free.body)).toMatchObject({ strict: true })
    expect(free.lost).toEqual({})
  })
})

test('Gemini reads a result with references as text, also with an escaped name', () => {
  for (const name of ['$ref', '\\u0024ref']) {
    const content = `{"properties":{"c":{"${name}" :"#/$defs/X"}},"$defs":{"X":{"type":"string"}}}`
    const { body } = ask('generate', 'm', 'chat', {
      ...tools.chat({ type: 'object' }),
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'put', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content },
      ],
    })
    const [, , result] = body.contents as JsonObject[]
    expect(result).toMatchObject({
      parts: [{ functionResponse: { response: { output: content } } }],
    })
  }
})

test('a client hears that Gemini gets a shorter seed, and nothing about one that fits', () => {
  const long = ask('generate', 'm', 'chat', { seed: 2 ** 40 + 7 })
  expect(long.body).toMatchObject({ generationConfig: { seed: 7 } })
  expect(long.lost).toEqual({ seed: expect.stringContaining('32 bits') })
  expect(ask('generate', 'm', 'chat', { seed: -7 }).lost).toEqual({})
})

test('an image without a detail has the one that the Responses API requires', () => {
  const image_url = { url: 'https://example.org/a.png' }
  const content = [{ type: 'image_url', image_url }]
  const { body } = ask('responses', 'm', 'chat', { messages: [{ role: 'user', content }] })
  expect(JSON.stringify(body)).toContain('"detail":"auto"')
})

test('an image that a model has made, too', () => {
  const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
  const contents = [
    { role: 'user', parts: [{ text: 'Draw.' }] },
    { role: 'model', parts: [image] },
    { role: 'user', parts: [{ text: 'Again.' }] },
  ]
  const { body } = ask('responses', 'm', 'generate', { contents })
  expect(JSON.stringify(body)).toContain('"detail":"auto"')
})
