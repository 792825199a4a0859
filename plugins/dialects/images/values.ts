import type { Form, RequestBody } from '../../../src/contract/body.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { ByteRange } from '../../../src/lib/json/scan.ts'

/** The plain fields of a JSON or form request. */
export type Values = Readonly<Record<string, unknown>>

const numbers = new Set(['n', 'output_compression', 'partial_images'])

/**
 * Form fields that the gateway reads. It rejects duplicates, so that the account reads the same
 * value.
 */
const knownFields = new Set([
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

/**
 * Returns the plain fields. Throws `GatewayError` 400 if a form repeats one or sends it as a file.
 */
export function imageValuesOf({ form, json }: RequestBody): Values {
  return form ? formValues(form) : json
}

/** Returns the byte range of the model's name in the body. */
export function modelAt({ form, json, members }: RequestBody): ByteRange | undefined {
  if (!form) return (json['model'] ?? undefined) === undefined ? undefined : members.get('model')
  const model = form.parts.find(({ name }) => name === 'model')
  return model && { start: model.start, end: model.end }
}

function formValues(form: Form): Values {
  const values: Record<string, unknown> = {}
  for (const { name, filename } of form.parts) {
    if (!knownFields.has(name)) continue
    if (filename !== undefined) throw invalid('invalid_value', `\`${name}\` must be a text.`, name)
    if (name in values) {
      throw invalid('duplicate_parameter', `\`${name}\` is sent more than once.`, name)
    }
    values[name] = parseField(name, form.text(name) ?? '')
  }
  return values
}

/** Converts numbers and booleans; other texts stay and fail validation. */
function parseField(name: string, text: string): unknown {
  if (numbers.has(name) && /^-?\d{1,9}$/.test(text)) return Number(text)
  if (name === 'stream' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}

function invalid(
  code: 'invalid_value' | 'duplicate_parameter',
  message: string,
  param: string,
): GatewayError {
  return new GatewayError(code, message, { param })
}
