import type { Form, RequestBody } from '../../../src/contract/body.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { ByteRange } from '../../../src/lib/json/scan.ts'

/** The plain fields of a JSON or form request. */
export type Values = Readonly<Record<string, unknown>>

/** The fields of a form that the gateway reads. It refuses their duplicates, so that the account reads the same value. */
interface KnownFields {
  readonly integers?: readonly string[]
  readonly numbers?: readonly string[]
  readonly booleans?: readonly string[]
  readonly texts: readonly string[]
}

/** Creates a reader of plain fields. It throws `GatewayError` 400 if a form repeats one or sends it as a file. */
export function createFieldReader(fields: KnownFields): (body: RequestBody) => Values {
  const { integers = [], numbers = [], booleans = [], texts } = fields
  const readers = new Map<string, (text: string) => unknown>([
    ...integers.map((name) => [name, integerIn] as const),
    ...numbers.map((name) => [name, numberIn] as const),
    ...booleans.map((name) => [name, booleanIn] as const),
    ...texts.map((name) => [name, (text: string) => text] as const),
  ])
  return ({ form, json }) => (form ? read(form, readers) : json)
}

// Other texts stay, and fail the checks of the field.

function integerIn(text: string): unknown {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : text
}

function numberIn(text: string): unknown {
  return /^-?\d{1,9}(?:\.\d{1,20})?$/.test(text) ? Number(text) : text
}

function booleanIn(text: string): unknown {
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text
}

/** The name that a server could read in the name of a part: `file` of `file[]`, `File` and `file.x`. */
export function plainName(name: string): string {
  return /^\w*/.exec(name.trim().toLowerCase())![0]
}

function read(form: Form, readers: ReadonlyMap<string, (text: string) => unknown>): Values {
  const values: Record<string, unknown> = {}
  for (const { name, filename } of form.parts) {
    const field = plainName(name)
    const reader = readers.get(field)
    if (!reader) continue
    if (name !== field) {
      throw invalid('invalid_value', `\`${field}\` must have exactly this name.`, field)
    }
    if (filename !== undefined) throw invalid('invalid_value', `\`${name}\` must be a text.`, name)
    if (name in values) {
      throw invalid('duplicate_parameter', `\`${name}\` is sent more than once.`, name)
    }
    values[name] = reader(form.text(name) ?? '')
  }
  return values
}

/** Returns the byte range of the model's name in the body. */
export function modelAt({ form, json, members }: RequestBody): ByteRange | undefined {
  if (!form) return (json['model'] ?? undefined) === undefined ? undefined : members.get('model')
  const model = form.parts.find(({ name }) => name === 'model')
  return model && { start: model.start, end: model.end }
}

function invalid(
  code: 'invalid_value' | 'duplicate_parameter',
  message: string,
  param: string,
): GatewayError {
  return new GatewayError(code, message, { param })
}
