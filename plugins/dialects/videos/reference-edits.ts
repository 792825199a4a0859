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

/** What an account cannot read as it came, in its own words. */
export async function referenceEdits(
  exchange: Routed,
  reference: VideoImage | undefined,
  files: Files | undefined,
): Promise<ByteEdit[]> {
  const { body, caller } = exchange
  const { form, members } = body
  const part = form && referencePart(form)
  if (part?.filename !== undefined) return retyped(form as Form, part)
  if (reference?.kind !== 'url') return []
  const url = await readable(reference)
  if (form && part) return readdressed(form, part, url === reference.url ? undefined : url)
  const isPlain = reference.field !== referenceField && url === reference.url
  const member = isPlain ? undefined : members.get(referenceField)
  return member ? [{ ...member, text: JSON.stringify({ image_url: url }) }] : []

  /** In place of a path that no account can read: a URL, or the content itself. */
  async function readable({ url: path, field }: { url: string; field: string }): Promise<string> {
    if (!files?.owns(path)) return path
    const known = await withFieldName({ path, field }, files.urlFor(path, caller))
    if (known !== undefined) return known
    const { bytes, type = 'image/png' } = await readStored(files, path, { exchange, field })
    return writeDataUrl(imageTypeOf(bytes) ?? type, bytes.toString('base64'))
  }
}

const headLength = 16

/** Accounts believe the type of a part; SDKs that stream name none (docs/wire/openai.md 3.1). */
async function retyped(form: Form, part: FormPart): Promise<ByteEdit[]> {
  const type = imageTypeOf(await form.read(part, headLength))
  const [told = ''] = part.type?.split(';') ?? []
  if (!type || (part.filename && told.trim().toLowerCase() === type)) return []
  const filename = part.filename || `reference.${type.replace('image/', '')}`
  return [headEdit(form, part, { name: part.name, filename, type })]
}

/** An address stands under a name of its own; `url` where it is another one by now. */
function readdressed(form: Form, part: FormPart, url: string | undefined): ByteEdit[] {
  const name = referenceNames.url
  return [
    ...(part.name === name ? [] : [headEdit(form, part, { name })]),
    ...(url === undefined ? [] : [contentEdit(form, part, url)]),
  ]
}
