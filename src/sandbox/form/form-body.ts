import { FaultError } from '../fault.ts'
import type { JsonObject } from '../json.ts'
import { badRequest } from '../problem.ts'
import type { Form } from './form.ts'

/** The type of a text part that is not text. */
export type FieldKind = 'integer' | 'number' | 'boolean'

/**
 * Converts the text parts of a form to JSON, so that the same shapes fit both: numbers and booleans
 * as `kinds` says, `outer[inner]` as an object, and `name[]` as a list. Throws a `FaultError` for a part of another
 * type, and a 400 for a duplicate part.
 */
export function bodyOfForm(form: Form, kinds: Record<string, FieldKind>): JsonObject {
  const body = new Map<string, unknown>()
  for (const { name, value } of form.fields) {
    const [, listed] = /^([^[\]]+)\[\]$/.exec(name) ?? []
    if (listed !== undefined) {
      listOf(body, listed).push(value)
      continue
    }
    const [, outer = name, inner] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? []
    const member = inner === undefined ? readField(name, value, kinds[name]) : value
    if (inner === undefined) putOnce(body, name, member)
    else putOnce(innerOf(body, outer), inner, member)
  }
  return toObject(body)
}

function innerOf(body: Map<string, unknown>, outer: string): Map<string, unknown> {
  const known = body.get(outer)
  if (known instanceof Map) return known
  const opened = new Map<string, unknown>()
  putOnce(body, outer, opened)
  return opened
}

function listOf(body: Map<string, unknown>, name: string): unknown[] {
  const known = body.get(name)
  if (Array.isArray(known)) return known
  const opened: unknown[] = []
  putOnce(body, name, opened)
  return opened
}

function putOnce(body: Map<string, unknown>, name: string, value: unknown): void {
  if (body.has(name))
    throw badRequest(`Duplicate parameter: '${name}'.`, name, 'duplicate_parameter')
  body.set(name, value)
}

// `fromEntries` defines members, so a part named `__proto__` sets no prototype.
function toObject(body: Map<string, unknown>): JsonObject {
  return Object.fromEntries(
    [...body].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
  )
}

function readField(name: string, value: string, kind: FieldKind | undefined): unknown {
  if (kind === undefined) return value
  if (kind === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true'
    throw wrongType(name, 'a boolean')
  }
  const isNumber = kind === 'number' ? /^-?\d+(?:\.\d+)?$/ : /^-?\d+$/
  if (!isNumber.test(value)) throw wrongType(name, kind === 'number' ? 'a number' : 'an integer')
  return Number(value)
}

function wrongType(name: string, expected: string): FaultError {
  return new FaultError({ kind: 'type', path: [name], expected, actual: 'a string' })
}
