import type { Caller } from '../../../src/contract/request.ts'
import type { Files, OpenedFile } from '../../../src/contract/files.ts'
import type { ImageContent } from '../../../src/media/image.ts'
import type { Form, FormPart } from '../../../src/contract/body.ts'
import {
  type ReferencedUpload,
  openReferenced,
  readOpened,
  withFieldName,
} from '../../../src/storage/read-opened.ts'

/** So much of an image is looked at where it cannot be read anywhere. */
const headBytes = 1024 * 1024

/** A part of a form: read on disk. */
export function contentOfPart(form: Form, part: FormPart): ImageContent {
  return {
    size: part.end - part.start,
    async read(start, end) {
      const from = part.start + start
      return from < part.end ? form.read({ ...part, start: from }, end - start) : Buffer.alloc(0)
    },
  }
}

/** An upload: its head alone is kept. Throws `GatewayError` 404 or 503 that names it. */
export async function contentOfUpload(
  files: Files,
  named: ReferencedUpload,
  caller: Caller,
): Promise<ImageContent> {
  const opened = await openReferenced(files, named, caller)
  return headOnly(await withFieldName(named, headOf(opened)), opened.size)
}

async function headOf(opened: OpenedFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of readOpened(opened)) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= headBytes) break
  }
  return Buffer.concat(chunks)
}

/** Base64: its head alone is decoded. */
export function contentOfBase64(base64: string): ImageContent {
  const characters = Math.ceil(headBytes / 3) * 4
  const head = Buffer.from(base64.slice(0, characters), 'base64')
  return headOnly(head, Buffer.byteLength(base64, 'base64'))
}

function headOnly(head: Buffer, size: number): ImageContent {
  return { size, read: async (start, end) => head.subarray(start, end) }
}
