import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/gateway.ts'

type Json = Readonly<Record<string, unknown>>

/** A field that the contract names: the endpoint, the message that has it, its path and its types. */
interface Named {
  readonly endpoint: string
  readonly message: string
  readonly field: string
  readonly types: readonly string[]
}

const page = readFileSync(join(import.meta.dirname, '../../docs/wire/contract-fields.md'), 'utf8')

const named: readonly Named[] = page
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const endpoint = section.slice(0, section.indexOf('\n'))
    return section
      .split(/^### /m)
      .slice(1)
      .flatMap((part) => {
        const message = part.slice(0, part.indexOf('\n'))
        return [...part.matchAll(/^\| `([^`]+)` \| (.*?) \|$/gm)].map(
          ([, field = '', types = '']) => ({
            endpoint,
            message,
            field,
            types: types.split(' or '),
          }),
        )
      })
  })

let document: Json = {}

beforeAll(async () => {
  await using gateway = await createTestGateway()
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Json
})

afterAll(() => (document = {}))

const at = (json: unknown, ...names: string[]) =>
  names.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], json)

/** The schemas of the bodies of an endpoint's message. */
function schemasOf({ endpoint, message }: Named): unknown[] {
  const [method = '', path = ''] = endpoint.split(' ')
  const operation = at(document, 'paths', path, method.toLowerCase())
  const body =
    message === 'Request'
      ? at(operation, 'requestBody')
      : at(operation, 'responses', message === 'Error' ? 'default' : '200')
  const contents = Object.values((at(body, 'content') ?? {}) as Json)
  return contents.map((content) => at(content, 'schema'))
}

/** A schema and its alternatives, without references. */
function alternatives(schema: unknown): Json[] {
  const reference = at(schema, '$ref')
  if (typeof reference === 'string') {
    return alternatives(at(document, ...reference.slice(2).split('/')))
  }
  const choices = (at(schema, 'anyOf') ?? []) as unknown[]
  return typeof schema === 'object' && schema !== null
    ? [schema as Json, ...choices.flatMap(alternatives)]
    : []
}

/** The schemas of a field such as `choices[].message.content`. */
function find(schemas: readonly unknown[], field: string): Json[] {
  const steps = field.replaceAll('[]', '.[]').split('.')
  return steps.reduce<Json[]>(
    (found, step) =>
      found
        .flatMap((schema) => at(schema, ...(step === '[]' ? ['items'] : ['properties', step])))
        .flatMap(alternatives),
    schemas.flatMap(alternatives),
  )
}

/** The types of values that a schema admits. */
function typesOf(schema: Json): string[] {
  const words = [schema['const'], ...((schema['enum'] ?? []) as unknown[])]
  const literal = words.filter((word) => word !== undefined).map((word) => typeof word as string)
  return [schema['type'] ?? []].flat().map(String).concat(literal)
}

test('the page has the fields of every endpoint of the contract', () => {
  expect(new Set(named.map(({ endpoint }) => endpoint)).size).toBe(12)
  expect(named.length).toBeGreaterThan(300)
})

describe('whoever writes a client after `openapi.json` finds every field of the contract', () => {
  const groups = [...Map.groupBy(named, ({ endpoint, message }) => `${endpoint}: ${message}`)]

  test.each(groups)('%s', (_, fields) => {
    const wrong = fields.flatMap((one) => {
      const types = new Set(find(schemasOf(one), one.field).flatMap(typesOf))
      const missing = one.types.filter((type) => !types.has(type))
      return missing.length > 0 ? [`${one.field}: ${missing.join(', ')}`] : []
    })
    expect(wrong).toEqual([])
  })
})
