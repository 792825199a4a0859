import type { RequestBody } from '../../../src/body.ts'
import { isPresent, wrong } from '../../../src/checks.ts'
import { GatewayError } from '../../../src/errors.ts'
import type { ByteRange } from '../../../src/exchange.ts'
import type { Picture } from '../../../src/media/video.ts'
import type { FormPart } from '../../../src/multipart/form.ts'
import { part, text } from '../../../src/usage.ts'

/** A request's fields, whether it came as JSON or as a form. */
export interface Fields {
  /** `undefined` where it is absent, `null`, or empty in a form. */
  text(name: string): string | undefined
  /** Where the model's name stands in the body. */
  readonly modelAt: ByteRange | undefined
  readonly reference: Picture | undefined
  /** Fields that are none of these. */
  others(known: ReadonlySet<string>): string[]
}

const field = 'input_reference'

/** A picture that is sent along has to fit into memory where an account takes it in JSON. */
const largestPicture = 32 * 1024 * 1024

export function fieldsOf(body: RequestBody): Fields {
  return body.form ? formFields(body) : jsonFields(body)
}

function jsonFields({ json, members }: RequestBody): Fields {
  return {
    text(name) {
      const value = json[name] ?? undefined
      if (value === undefined) return undefined
      if (typeof value === 'number' && name === 'seconds') return String(value)
      if (typeof value !== 'string') throw wrong(name, 'a string')
      return value
    },
    modelAt: isPresent(json, 'model') ? members.get('model') : undefined,
    reference: jsonReference(json),
    others: (known) => Object.keys(json).filter((name) => !known.has(name)),
  }
}

function jsonReference(json: RequestBody['json']): Picture | undefined {
  if (!isPresent(json, field)) return undefined
  const reference = part(json, field)
  return named(text(reference, 'image_url'), text(reference, 'file_id'))
}

function named(url: string | undefined, id: string | undefined): Picture {
  if (url && !id) return { kind: 'url', url, field: `${field}.image_url` }
  if (id && !url) return { kind: 'file', id, field: `${field}.file_id` }
  throw wrong(field, 'a file, or have either `image_url` or `file_id`')
}

function formFields({ form }: RequestBody): Fields {
  if (!form) throw new Error('This is no form.')
  const texts = form.parts.filter(({ filename }) => filename === undefined)
  const models = texts.filter(({ name }) => name === 'model')
  if (models.length > 1) {
    throw new GatewayError('duplicate_parameter', '`model` stands more than once.', {
      param: 'model',
    })
  }
  const files = form.parts.filter(({ name, filename }) => name === field && filename !== undefined)
  if (files.length > 1) throw wrong(field, 'one file')
  const [model] = models
  const url = form.text(`${field}[image_url]`)
  const id = form.text(`${field}[file_id]`)
  return {
    text: (name) => form.text(name) || undefined,
    modelAt: model && { start: model.start, end: model.end },
    reference: files[0] ? file(files[0]) : url || id ? named(url, id) : undefined,
    others: (known) =>
      [...new Set(form.parts.map(({ name }) => name))].filter(
        (name) => !known.has(name.replace(/\[.*$/, '')),
      ),
  }

  function file(one: FormPart): Picture {
    if (one.end - one.start > largestPicture) {
      throw new GatewayError('request_too_large', `\`${field}\` exceeds ${largestPicture} bytes.`, {
        param: field,
      })
    }
    return {
      kind: 'bytes',
      field,
      mediaType: one.type,
      read: () => form!.read(one, largestPicture),
    }
  }
}
