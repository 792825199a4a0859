import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { decode } from '../samples/index.ts'
import { ask } from './telling.ts'

const text = { type: 'STRING' }

/** An object all of whose members are demanded, as Gemini's clients write it. */
const demanding = (properties: JsonObject) => ({
  type: 'OBJECT',
  properties,
  required: Object.keys(properties),
})

const asking = (schema: JsonObject) => ({
  generationConfig: { responseMimeType: 'application/json', responseSchema: schema },
})

/** What the gateway takes the client's schema for. */
function read(schema: JsonObject): unknown {
  const { output } = decode('generate', asking(schema))
  return output?.kind === 'schema' ? output.schema : undefined
}

const city = { name: text, country: { ...text, nullable: true } }

const enforceable: readonly [string, JsonObject][] = [
  ['demands all', demanding(city)],
  ['holds another one', demanding({ city: demanding(city) })],
  ['holds a list of them', demanding({ cities: { type: 'ARRAY', items: demanding(city) } })],
  ['holds one of several', demanding({ place: { anyOf: [demanding(city), text] } })],
  ['holds one or nothing', demanding({ place: { ...demanding(city), nullable: true } })],
]

const unenforceable: readonly [string, JsonObject][] = [
  ['has a member that may be left out', { ...demanding(city), required: ['name'] }],
  ['is a list', { type: 'ARRAY', items: demanding(city) }],
  ['holds an object of any members', demanding({ any: { type: 'OBJECT' } })],
  ['allows others by name', { ...demanding(city), additionalProperties: true }],
  ['holds a map', demanding({ map: { type: 'OBJECT', additionalProperties: text } })],
]

describe.each(['chat', 'responses'] as const)('a Gemini client on an account of %s', (account) => {
  const asked = (schema: JsonObject) => {
    const { body, lost } = ask(account, 'm', 'generate', asking(schema))
    const chat = (body.response_format as JsonObject | undefined)?.json_schema
    const responses = (body.text as JsonObject | undefined)?.format
    return { format: chat ?? responses, lost }
  }

  test.each(enforceable)('has a schema enforced that %s', (_, schema) => {
    const { format, lost } = asked(schema)

    expect(format).toMatchObject({ strict: true, schema: read(schema) })
    expect(lost).toEqual({})
  })

  test.each(unenforceable)('is told that one is not that %s', (_, schema) => {
    const { format, lost } = asked(schema)

    expect(format).toMatchObject({ strict: false })
    expect(lost).toEqual({
      'generationConfig.responseSchema': expect.stringContaining('not enforced') as string,
    })
  })
})

test('every object that names its members is closed, and nothing else', () => {
  const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  const closed = { ...named, additionalProperties: false }
  const gemini = demanding({ name: text })

  expect(read(gemini)).toEqual(closed)
  expect(read({ anyOf: [gemini, { type: 'OBJECT' }] })).toEqual({
    anyOf: [closed, { type: 'object' }],
  })
  expect(read({ type: 'OBJECT', properties: {} })).toEqual({ type: 'object', properties: {} })
  expect(read({ ...gemini, example: gemini })).toEqual({ ...closed, example: gemini })
})

test('an object that is put together of several pieces stays as it is', () => {
  const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  for (const keyword of ['anyOf', 'allOf']) {
    expect(read({ ...demanding({ name: text }), [keyword]: [demanding({ name: text })] })).toEqual({
      ...named,
      [keyword]: [named],
    })
  }
})

test('what a client says in JSON Schema is what it means', () => {
  const open = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  const { output } = decode('generate', { generationConfig: { responseJsonSchema: open } })

  expect(output).toMatchObject({ kind: 'schema', schema: open })
  expect(output).not.toHaveProperty('schema.additionalProperties')
})

test('the parameters of tools stay as they are', () => {
  const parameters = demanding({ name: text })
  const { tools } = decode('generate', {
    tools: [{ functionDeclarations: [{ name: 'look', parameters }] }],
  })

  expect(tools[0]).toHaveProperty('parameters.properties')
  expect(tools[0]).not.toHaveProperty('parameters.additionalProperties')
})
