import type { Form, FormPart, RequestBody } from '../../../src/contract/body.ts'
import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { VideoImage } from '../../../src/media/video.ts'
import { hasScheme } from '../../../src/lib/has-scheme.ts'

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
 * Throws `GatewayError` 400 unless it has exactly one place, as a text.
 */
export function referenceInJson(json: RequestBody['json']): VideoImage | undefined {
  if (!isPresent(json, referenceField)) return undefined
  const value = json[referenceField]
  if (typeof value === 'string') return fromUrl(value)
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong(referenceField, requirement)
  const { image_url: url, file_id: id } = value as Record<string, unknown>
  return fromUrlOrId(url ?? undefined, id ?? undefined)
}

/** Returns the names of further members of the reference, which only accounts of this dialect read. */
export function furtherInReference(json: RequestBody['json']): string[] {
  const value = json[referenceField]
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value)
    .filter((name) => name !== 'image_url' && name !== 'file_id')
    .map((name) => `${referenceField}.${name}`)
}

/** Returns the reference image of a form. Throws `GatewayError` 400 for more than one. */
export function referenceInForm(form: Form): VideoImage | undefined {
  const part = referencePart(form)
  if (!part) return undefined
  if (part.filename !== undefined) return fromFile(form, part)
  const value = form.text(part.name) ?? ''
  if (part.name === referenceField) return fromUrl(value)
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

function fromUrl(url: string): VideoImage {
  if (!hasScheme(url)) throw wrong(referenceField, 'a file or a URL')
  return { kind: 'url', url, field: referenceField }
}

function fromUrlOrId(url: unknown, id: unknown): VideoImage {
  if ((url === undefined) === (id === undefined)) throw wrong(referenceField, requirement)
  if (url === undefined) {
    const field = `${referenceField}.file_id`
    if (typeof id !== 'string' || id.trim() === '') throw wrong(field, 'a non-empty string')
    return { kind: 'file', id, field }
  }
  const field = `${referenceField}.image_url`
  if (typeof url !== 'string' || !hasScheme(url)) throw wrong(field, 'a URL')
  return { kind: 'url', url, field }
}

function fromFile(form: Form, part: FormPart): VideoImage {
  if (part.end === part.start) throw wrong(referenceField, 'a file that is not empty')
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
