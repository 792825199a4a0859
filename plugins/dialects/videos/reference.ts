import type { Form, FormPart, RequestBody } from '../../../src/contract/body.ts'
import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { VideoImage } from '../../../src/media/video.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** The field of the reference image of a video. */
export const referenceField = 'input_reference'

/** Form fields that name the image by URL or file id (docs/wire/openai.md 4.2). */
export const referenceNames = {
  url: `${referenceField}[image_url]`,
  id: `${referenceField}[file_id]`,
}

/** Maximum size of an image file in bytes; it must fit into memory for accounts that need JSON. */
const maxImageBytes = 32 * 1024 * 1024

/**
 * Returns the reference image of a JSON request. Clients other than SDKs send its URL as a string.
 */
export function referenceInJson(json: RequestBody['json']): VideoImage | undefined {
  if (!isPresent(json, referenceField)) return undefined
  const value = json[referenceField]
  if (typeof value === 'string') return { kind: 'url', url: value, field: referenceField }
  return fromUrlOrId(stringAt(value, 'image_url'), stringAt(value, 'file_id'))
}

/** Returns the reference image of a form. Throws `GatewayError` 400 for more than one. */
export function referenceInForm(form: Form): VideoImage | undefined {
  const part = referencePart(form)
  if (!part) return undefined
  if (part.filename !== undefined) return fromFile(form, part)
  const value = form.text(part.name) ?? ''
  if (part.name === referenceField) return { kind: 'url', url: value, field: referenceField }
  return part.name === referenceNames.url
    ? fromUrlOrId(value, undefined)
    : fromUrlOrId(undefined, value)
}

/** Returns the part with the image file, URL or file id. Empty texts are ignored. */
export function referencePart(form: Form): FormPart | undefined {
  const names = [referenceField, ...Object.values(referenceNames)]
  const parts = form.parts.filter(
    ({ name, filename, start, end }) =>
      names.includes(name) && (filename !== undefined || end > start),
  )
  if (parts.length > 1) throw wrong(referenceField, requirement)
  return parts[0]
}

const requirement = 'one file or URL, or have either `image_url` or `file_id`'

function fromUrlOrId(url: string | undefined, id: string | undefined): VideoImage {
  if (url && !id) return { kind: 'url', url, field: `${referenceField}.image_url` }
  if (id && !url) return { kind: 'file', id, field: `${referenceField}.file_id` }
  throw wrong(referenceField, requirement)
}

function fromFile(form: Form, part: FormPart): VideoImage {
  if (part.end - part.start > maxImageBytes) {
    const message = `\`${referenceField}\` exceeds ${maxImageBytes} bytes.`
    throw new GatewayError('request_too_large', message, { param: referenceField })
  }
  return {
    kind: 'bytes',
    field: referenceField,
    mediaType: part.type,
    read: () => form.read(part, maxImageBytes),
  }
}
