import type { Form, RequestBody } from '../../../src/contract/body.ts'
import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { ByteEdit } from '../../../src/lib/json/edit.ts'
import type { ByteRange } from '../../../src/lib/json/scan.ts'
import type { VideoImage } from '../../../src/media/video.ts'
import {
  furtherInReference,
  referenceField,
  referenceInForm,
  referenceInJson,
  referenceNames,
} from './reference.ts'

/** The fields of a JSON or form request. */
export interface VideoFields {
  /** Returns a text field; `undefined` if it is absent, `null`, or empty in a form. */
  text(name: string): string | undefined
  /** The byte range of the model's name in the body. */
  readonly modelAt: ByteRange | undefined
  readonly reference: VideoImage | undefined
  /** Returns the names of fields that are not in `known`. */
  others(known: ReadonlySet<string>): string[]
}

/**
 * Reads the fields. Throws `GatewayError` 400 if a form repeats a text field or sends it as a file.
 */
export function videoFieldsOf(body: RequestBody): VideoFields {
  return body.form ? formFields(body.form) : jsonFields(body)
}

/** Returns the edit that turns a number of seconds into the text that accounts read. */
export function secondsEdits({ json, members }: RequestBody): ByteEdit[] {
  const { seconds } = json
  const range = typeof seconds === 'number' ? members.get('seconds') : undefined
  return range ? [{ ...range, text: JSON.stringify(String(seconds)) }] : []
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
    others: (known) => [
      ...Object.keys(json).filter((name) => !known.has(name) && isPresent(json, name)),
      ...(known.has(referenceField) ? furtherInReference(json) : []),
    ],
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
      if (known.has(referenceField)) for (const name of referenceNameList) names.delete(name)
      return [...names].filter((name) => !known.has(name))
    },
  }
}

const referenceNameList = Object.values(referenceNames)

/**
 * Form fields that the gateway reads. It rejects duplicates, so that the account reads the same
 * value.
 */
const knownFields = new Set(['model', 'prompt', 'seconds', 'size', ...referenceNameList])

function checkTexts(form: Form): void {
  const found = new Set<string>()
  for (const { name, filename } of form.parts) {
    if (!knownFields.has(name)) continue
    if (filename !== undefined) throw wrong(name, 'a text')
    if (found.has(name)) {
      const message = `\`${name}\` is sent more than once.`
      throw new GatewayError('duplicate_parameter', message, { param: name })
    }
    found.add(name)
  }
}
