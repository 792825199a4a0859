import type { ByteEdit, Routed } from '../../../src/exchange.ts'
import type { Files } from '../../../src/files.ts'
import { writeDataUrl } from '../../../src/generate/data-url.ts'
import { readStored } from '../../../src/jobs/stored.ts'
import type { Picture } from '../../../src/media/video.ts'

/** What takes the place of a path that no account can read: a URL, or the content itself. */
export async function storedInserted(
  { body, caller }: Pick<Routed, 'body' | 'caller'>,
  reference: Picture | undefined,
  files: Files | undefined,
): Promise<ByteEdit[]> {
  if (reference?.kind !== 'url' || !files?.owns(reference.url)) return []
  const { url: path, field } = reference
  const url = (await files.urlFor(path, caller)) ?? (await contentOf(path, field))
  const { form, members } = body
  const part = form?.parts.find(({ name }) => name === 'input_reference[image_url]')
  if (part) return [{ start: part.start, end: part.end, text: url }]
  const member = members.get('input_reference')
  return member ? [{ ...member, text: JSON.stringify({ image_url: url }) }] : []

  async function contentOf(path: string, field: string): Promise<string> {
    const { bytes, type = 'image/png' } = await readStored(files!, path, { caller, field })
    return writeDataUrl(type, bytes.toString('base64'))
  }
}
