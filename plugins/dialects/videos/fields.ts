import type { Form, RequestBody } from '../../../src/contract/body.ts'
import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { ByteRange } from '../../../src/lib/json/scan.ts'
import type { VideoImage } from '../../../src/media/video.ts'
import { referenceField, referenceInForm, referenceInJson, referenceNames } from './reference.ts'

/** A request's fields, whether it came as JSON or as a form. */
export interface VideoFields {
  /** `undefined` where it is absent, `null`, or empty in a form. */
  text(name: string): string | undefined
  /** Where the model's name stands in the body. */
  readonly modelAt: ByteRange | undefined
  readonly reference: VideoImage | undefined
  /** Fields that are none of these. */
  others(known: ReadonlySet<string>): string[]
}

/** Throws `GatewayError` 400 where a form has a field twice, or as a file. */
export function videoFieldsOf(body: RequestBody): VideoFields {
  return body.form ? formFields(body.form) : jsonFields(body)
}

function jsonFields({ json, members }: RequestBody): VideoFields {
  return {
    text(name) {
      const value = json[name] ?? undefined
      if (value === undefined) return undefined
      if (typeof value === 'number' && name === 'seconds') return String(value)
      if (typeof value !== 'string') throw wrong(name, 'a string')
      return value
    },
    modelAt: isPresent(json, 'model') ? members.get('model') : undefined,
    reference: referenceInJson(json),
    others: (known) => Object.keys(json).filter((name) => !known.has(name)),
  }
}

function formFields(form: Form): VideoFields {
  checkTexts(form)
  const model = form.parts.find(({ name }) => name === 'model')
  return {
    text: (name) => form.text(name) || undefined,
    modelAt: model && { start: model.start, end: model.end },
    reference: referenceInForm(form),
    others(known) {
      const names = new Set(form.parts.map(({ name }) => name))
      if (known.has(referenceField)) for (const name of ways) names.delete(name)
      return [...names].filter((name) => !known.has(name))
    },
  }
}

const ways = Object.values(referenceNames)

/** What the gateway looks at: it must be the same that the account sees. */
const read = new Set(['model', 'prompt', 'seconds', 'size', ...ways])

function checkTexts(form: Form): void {
  const seen = new Set<string>()
  for (const { name, filename } of form.parts) {
    if (!read.has(name)) continue
    if (filename !== undefined) throw wrong(name, 'a text')
    if (seen.has(name)) {
      const message = `\`${name}\` stands more than once.`
      throw new GatewayError('duplicate_parameter', message, { param: name })
    }
    seen.add(name)
  }
}
