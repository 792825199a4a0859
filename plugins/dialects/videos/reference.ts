import type { Form, FormPart, RequestBody } from '../../../src/contract/body.ts'
import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { VideoImage } from '../../../src/media/video.ts'
import { hasScheme } from '../../../src/lib/has-scheme.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { ByteEdit } from '../../../src/lib/json/edit.ts'
import type { Files } from '../../../src/contract/files.ts'
import { writeDataUrl } from '../../../src/generate/data-url.ts'
import { readStored } from '../../../src/jobs/stored.ts'
import { imageTypeOf } from '../../../src/lib/image-type.ts'
import { contentEdit, headEdit } from '../../../src/body/form/edits.ts'
import { withFieldName } from '../../../src/storage/read-opened.ts'

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
function referencePart(form: Form): FormPart | undefined {
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

/**
 * Returns the edits that make a reference image readable for the account: the type of a form part,
 * the field of a URL, and uploads as URLs or data URLs. Throws `GatewayError`.
 */
export async function referenceEdits(
  exchange: Routed,
  reference: VideoImage | undefined,
  files: Files | undefined,
): Promise<ByteEdit[]> {
  const { body, caller } = exchange
  const { form, members } = body
  const part = form && referencePart(form)
  if (part?.filename !== undefined) return typeEdits(form as Form, part)
  if (reference?.kind !== 'url') return []
  const url = await accountUrl(reference)
  if (form && part) return urlEdits(form, part, url === reference.url ? undefined : url)
  const isPlain = reference.field !== referenceField && url === reference.url
  const member = isPlain ? undefined : members.get(referenceField)
  return member ? [{ ...member, text: JSON.stringify({ image_url: url }) }] : []

  /** Replaces the path of an upload by a URL, or by a data URL if the account cannot reach it. */
  async function accountUrl({ url: path, field }: { url: string; field: string }): Promise<string> {
    if (!files?.owns(path)) return path
    const signed = await withFieldName({ path, field }, files.urlFor(path, caller))
    if (signed !== undefined) return signed
    const { bytes, type = 'image/png' } = await readStored(files, path, { exchange, field })
    return writeDataUrl(imageTypeOf(bytes) ?? type, bytes.toString('base64'))
  }
}

const headLength = 16

/** Corrects the type of a file part, which streaming SDKs leave out (docs/wire/openai.md 3.1). */
async function typeEdits(form: Form, part: FormPart): Promise<ByteEdit[]> {
  const type = imageTypeOf(await form.read(part, headLength))
  const [declared = ''] = part.type?.split(';') ?? []
  if (!type || (part.filename && declared.trim().toLowerCase() === type)) return []
  const filename = part.filename || `reference.${type.replace('image/', '')}`
  return [headEdit(form, part, { name: part.name, filename, type })]
}

/** Renames the part of a URL, and replaces its content if `url` is given. */
function urlEdits(form: Form, part: FormPart, url: string | undefined): ByteEdit[] {
  const name = referenceNames.url
  return [
    ...(part.name === name ? [] : [headEdit(form, part, { name })]),
    ...(url === undefined ? [] : [contentEdit(form, part, url)]),
  ]
}
