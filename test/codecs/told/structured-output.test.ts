import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { ask } from './telling.ts'

const text = { type: 'string' }
const open = { type: 'object', properties: { city: text }, required: ['city'] }
const closed = { ...open, additionalProperties: false }

/** With one member that the model must fill in by this schema. */
const holding = (city: JsonObject, more = {}) => ({ ...closed, properties: { city }, ...more })

const clients = {
  messages: (schema: object) => ({ output_config: { format: { type: 'json_schema', schema } } }),
  generate: (schema: object) => ({ generationConfig: { responseJsonSchema: schema } }),
}
const fields = {
  messages: 'output_config.format',
  generate: 'generationConfig.responseJsonSchema',
}

/** What the account reads of the schema. */
function formatIn({ response_format, text: said }: JsonObject): unknown {
  const chat = (response_format as JsonObject | undefined)?.json_schema
  return chat ?? (said as JsonObject | undefined)?.format
}

const enforceable: readonly [string, JsonObject][] = [
  ['is closed', closed],
  ['has a member called like a keyword', holding(text, { properties: { city: { ...closed } } })],
  ['may be null', holding({ type: ['string', 'null'] })],
  ['is one of several', holding({ anyOf: [closed, { type: 'null' }] })],
  ['is recursive', { ...holding({ $ref: '#/$defs/city' }), $defs: { city: closed } }],
  ['names values that look like schemas', holding({ const: { type: 'object', oneOf: [] } })],
  ['has bounds', holding({ type: 'array', items: text, minItems: 1 })],
]

const unenforceable: readonly [string, JsonObject][] = [
  ['is open', open],
  ['has open members', holding(open)],
  ['has a member that may be left out', { ...closed, required: [] }],
  ['holds an object that may be null and is open', holding({ ...open, type: ['object', 'null'] })],
  ['is no object', { type: 'array', items: text }],
  ['is one of several at its root', { ...closed, anyOf: [closed] }],
  ['is exactly one of several', holding({ oneOf: [text, { type: 'null' }] })],
  ['is several at once', holding({ allOf: [text] })],
  ['has a default', holding({ ...text, default: 'Rome' })],
  ['has open definitions', { ...holding({ $ref: '#/$defs/city' }), $defs: { city: open } }],
  ['holds anything', holding({})],
  ['holds a list of anything', holding({ type: 'array' })],
]

describe.each(['chat', 'responses'] as const)('an account of %s', (account) => {
  describe.each(['messages', 'generate'] as const)('that serves a client of %s', (client) => {
    test.each(enforceable)('enforces a schema that %s', (_, schema) => {
      const { body, lost } = ask(account, 'm', client, clients[client](schema))

      expect(formatIn(body)).toMatchObject({ name: 'response', schema, strict: true })
      expect(lost).toEqual({})
    })

    test.each(unenforceable)('tells that it does not enforce one that %s', (_, schema) => {
      const { body, lost } = ask(account, 'm', client, clients[client](schema))

      expect(formatIn(body)).toMatchObject({ schema, strict: false })
      expect(lost).toEqual({ [fields[client]]: expect.stringContaining('not enforced') })
    })
  })
})

const chat = (strict?: boolean) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema: open, strict } },
})
const responses = (strict?: boolean) => ({
  text: { format: { type: 'json_schema', name: 'n', schema: open, strict } },
})

test.each([true, false])('OpenAI itself judges what its clients call strict: %s', (strict) => {
  const onResponses = ask('responses', 'm', 'chat', chat(strict))
  const onChat = ask('chat', 'm', 'responses', responses(strict))

  expect(formatIn(onResponses.body)).toMatchObject({ strict })
  expect(formatIn(onChat.body)).toMatchObject({ strict })
  expect([onResponses.lost, onChat.lost]).toEqual([{}, {}])
})

test('a client of OpenAI that does not ask for strictness gets none, and misses none', () => {
  for (const schema of [open, closed]) {
    const format = { name: 'n', schema }
    const asChat = { response_format: { type: 'json_schema', json_schema: format } }
    const asResponses = { text: { format: { type: 'json_schema', ...format } } }
    const onResponses = ask('responses', 'm', 'chat', asChat)
    const onChat = ask('chat', 'm', 'responses', asResponses)

    expect(formatIn(onResponses.body)).toMatchObject({ strict: false })
    expect(formatIn(onChat.body)).toMatchObject({ strict: false })
    expect([onResponses.lost, onChat.lost]).toEqual([{}, {}])
  }
})

describe('a schema of more parts than are enforced', () => {
  const model = 'claude-sonnet-4-5'
  const properties = (count: number) => {
    const names = Array.from({ length: count }, (_, at) => `p${at}`)
    const members = Object.fromEntries(names.map((name) => [name, text]))
    return { type: 'object', properties: members, required: names, additionalProperties: false }
  }
  const most = properties(15_990)
  const more = properties(16_010)
  const asked = (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
  })
  const calling = (...schemas: readonly object[]) => ({
    tools: schemas.map((parameters, at) => ({
      type: 'function',
      function: { name: `f${at}`, parameters, strict: true },
    })),
  })

  test('goes into the prompt of a Messages account', () => {
    const enforced = ask('messages', model, 'chat', asked(most))
    expect(enforced.lost).toEqual({})
    expect(enforced.body).toHaveProperty('output_config.format.schema.properties.p15989', text)
    const { body, lost } = ask('messages', model, 'chat', asked(more))
    expect(body).not.toHaveProperty('output_config')
    expect(JSON.stringify(body)).toContain('p16009')
    expect(Object.values(lost)).toEqual([expect.stringContaining('the prompt contains it')])
  })

  test('is the input of a tool without strict, as are the tools behind it', () => {
    const strict = ({ tools }: JsonObject) =>
      (tools as readonly JsonObject[]).map((tool) => tool.strict ?? false)
    expect(strict(ask('messages', model, 'chat', calling(most)).body)).toEqual([true])
    const { body, lost } = ask('messages', model, 'chat', calling(closed, more, closed))
    expect(strict(body)).toEqual([true, false, false])
    expect(Object.values(lost)).toEqual([expect.stringContaining('without `strict`')])
  })
})
