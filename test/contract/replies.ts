import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'

import type { JsonObject } from '../../src/lib/json/object.ts'
import { withField } from './fields.ts'
import { absent } from './rows.ts'

/** Values of every type, at the edges of each, which an account may report for any field. */
export const oddValues: readonly unknown[] = [
  absent,
  null,
  '',
  ' ',
  'text',
  'auto',
  '\ud800',
  7,
  -1,
  1.5,
  1e15,
  1e300,
  true,
  [],
  {},
  [null],
  ['text'],
  { a: 1 },
  [[{ a: [] }]],
]

/** An account's reply with one odd value. */
export interface OddReply {
  /** Of the value. */
  readonly title: string
  readonly json: JsonObject
}

/** An account's reply with each odd value in turn at a path. */
export function oddReplies(reply: JsonObject, path: string): OddReply[] {
  return oddValues.map((value) => ({
    title: value === absent ? 'absent' : JSON.stringify(value),
    json: withField(reply, path, value),
  }))
}

const ajv = new Ajv({ allErrors: true, strict: false })
const compiled = new Map<AnySchema, ValidateFunction>()

/**
 * Compares a reply of the gateway with the JSON Schema of the contract. Returns the violations in
 * words; `undefined` for none.
 */
export function shapeViolation(schema: AnySchema, json: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (validate(json)) return undefined
  return `${ajv.errorsText(validate.errors)} in ${JSON.stringify(json).slice(0, 300)}`
}

/** A JSON Schema of an object with these members, all required unless their name ends with `?`. */
export function objectSchema(members: Readonly<Record<string, AnySchema>>): AnySchema {
  const names = Object.keys(members)
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema]),
    ),
  }
}
