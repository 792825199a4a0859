import type { Form, RequestBody } from '../../../src/contract/body.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { ByteRange } from '../../../src/lib/json/scan.ts'

/** The plain fields of a request, whether it came as JSON or as a form. */
export type Values = Readonly<Record<string, unknown>>

const numbers = new Set(['n', 'output_compression', 'partial_images'])

/** What the gateway looks at: it must be the same that the account sees. */
const read = new Set([
  ...numbers,
  'background',
  'input_fidelity',
  'model',
  'moderation',
  'output_format',
  'prompt',
  'quality',
  'response_format',
  'size',
  'stream',
  'user',
])

/** Throws `GatewayError` 400 where a field of a form stands twice, or is a file. */
export function valuesOf({ form, json }: RequestBody): Values {
  return form ? formValues(form) : json
}

/** Where the model's name stands in the body. */
export function modelAt({ form, json, members }: RequestBody): ByteRange | undefined {
  if (!form) return (json['model'] ?? undefined) === undefined ? undefined : members.get('model')
  const model = form.parts.find(({ name }) => name === 'model')
  return model && { start: model.start, end: model.end }
}

function formValues(form: Form): Values {
  const values: Record<string, unknown> = {}
  for (const { name, filename } of form.parts) {
    if (!read.has(name)) continue
    if (filename !== undefined) throw refused('invalid_value', `\`${name}\` must be a text.`, name)
    if (name in values) {
      throw refused('duplicate_parameter', `\`${name}\` stands more than once.`, name)
    }
    values[name] = meant(name, form.text(name) ?? '')
  }
  return values
}

/** What is no number where one is meant stays a text, which is then refused as such. */
function meant(name: string, text: string): unknown {
  if (numbers.has(name) && /^-?\d{1,9}$/.test(text)) return Number(text)
  if (name === 'stream' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}

function refused(
  code: 'invalid_value' | 'duplicate_parameter',
  message: string,
  param: string,
): GatewayError {
  return new GatewayError(code, message, { param })
}
