import type { Form, FormPart, RequestBody } from '../../../src/contract/body.ts'
import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { VideoImage } from '../../../src/media/video.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** The picture that a video is made after. */
export const referenceField = 'input_reference'

/** Where a form names one that it does not hold (docs/wire/openai.md 4.2). */
export const referenceNames = {
  url: `${referenceField}[image_url]`,
  id: `${referenceField}[file_id]`,
}

/** A picture that is sent along has to fit into memory where an account takes it in JSON. Bytes. */
const largestPicture = 32 * 1024 * 1024

/** What stands where the file should: clients that are no SDK write its address there. */
export function referenceInJson(json: RequestBody['json']): VideoImage | undefined {
  if (!isPresent(json, referenceField)) return undefined
  const given = json[referenceField]
  if (typeof given === 'string') return { kind: 'url', url: given, field: referenceField }
  return named(stringAt(given, 'image_url'), stringAt(given, 'file_id'))
}

/** Throws `GatewayError` 400 for more than one. */
export function referenceInForm(form: Form): VideoImage | undefined {
  const part = referencePart(form)
  if (!part) return undefined
  if (part.filename !== undefined) return file(form, part)
  const value = form.text(part.name) ?? ''
  if (part.name === referenceField) return { kind: 'url', url: value, field: referenceField }
  return part.name === referenceNames.url ? named(value, undefined) : named(undefined, value)
}

/** The part that has it, or says where it is; texts without content say nothing. */
export function referencePart(form: Form): FormPart | undefined {
  const names = [referenceField, ...Object.values(referenceNames)]
  const parts = form.parts.filter(
    ({ name, filename, start, end }) =>
      names.includes(name) && (filename !== undefined || end > start),
  )
  if (parts.length > 1) throw wrong(referenceField, oneOf)
  return parts[0]
}

const oneOf = 'one file or its address, or have either `image_url` or `file_id`'

function named(url: string | undefined, id: string | undefined): VideoImage {
  if (url && !id) return { kind: 'url', url, field: `${referenceField}.image_url` }
  if (id && !url) return { kind: 'file', id, field: `${referenceField}.file_id` }
  throw wrong(referenceField, oneOf)
}

function file(form: Form, part: FormPart): VideoImage {
  if (part.end - part.start > largestPicture) {
    const message = `\`${referenceField}\` exceeds ${largestPicture} bytes.`
    throw new GatewayError('request_too_large', message, { param: referenceField })
  }
  return {
    kind: 'bytes',
    field: referenceField,
    mediaType: part.type,
    read: () => form.read(part, largestPicture),
  }
}
