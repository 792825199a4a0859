import type { Routed } from '../../../src/contract/exchange.ts'
import type { ByteEdit } from '../../../src/lib/json/edit.ts'
import type { Files } from '../../../src/contract/files.ts'
import { writeDataUrl } from '../../../src/generate/data-url.ts'
import { readStored } from '../../../src/jobs/stored.ts'
import { imageTypeOf } from '../../../src/lib/image-type.ts'
import type { Form, FormPart } from '../../../src/contract/body.ts'
import { contentEdit, headEdit } from '../../../src/body/form/edits.ts'
import type { VideoImage } from '../../../src/media/video.ts'
import { withFieldName } from '../../../src/storage/read-opened.ts'
import { referenceField, referenceNames, referencePart } from './reference.ts'

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
