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

/** Number of bytes read from an image without random access. */
const headBytes = 1024 * 1024

/** Returns the content of a form part, read from the spool on demand. */
export function contentOfPart(form: Form, part: FormPart): ImageContent {
  return {
    size: part.end - part.start,
    async read(start, end) {
      const from = part.start + start
      return from < part.end ? form.read({ ...part, start: from }, end - start) : Buffer.alloc(0)
    },
  }
}

/** Returns the head of an upload. Throws `GatewayError` 404 or 503 with its field as `param`. */
export async function contentOfUpload(
  files: Files,
  upload: ReferencedUpload,
  caller: Caller,
): Promise<ImageContent> {
  const opened = await openReferenced(files, upload, caller)
  return headOnly(await withFieldName(upload, headOf(opened)), opened.size)
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

/** Returns the head of base64 content; the rest is not decoded. */
export function contentOfBase64(base64: string): ImageContent {
  const characters = Math.ceil(headBytes / 3) * 4
  const head = Buffer.from(base64.slice(0, characters), 'base64')
  return headOnly(head, Buffer.byteLength(base64, 'base64'))
}

function headOnly(head: Buffer, size: number): ImageContent {
  return { size, read: async (start, end) => head.subarray(start, end) }
}
