import { once } from 'node:events'

import { Busboy } from '@fastify/busboy'

export interface ReadPart {
  readonly name: string
  readonly filename: string | undefined
  /** As Latin-1. */
  readonly content: string
}

/** The parts of a form as `@fastify/busboy` reads them. */
export async function readWithBusboy(body: Buffer, boundary: string): Promise<ReadPart[]> {
  const reader = new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    // Only what has this type and no filename would be told as a text otherwise.
    isPartAFile: (_name, _type, filename) => filename !== undefined,
  })
  const found: { name: string; filename: string | undefined; chunks: Buffer[] }[] = []
  reader.on('field', (name, value) => {
    found.push({ name, filename: undefined, chunks: [Buffer.from(value)] })
  })
  reader.on('file', (name, stream, filename) => {
    const chunks: Buffer[] = []
    found.push({ name, filename, chunks })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  })
  const finished = once(reader, 'finish')
  reader.end(body)
  await finished
  return found.map(({ name, filename, chunks }) => {
    return { name, filename, content: Buffer.concat(chunks).toString('latin1') }
  })
}

/** The parts of a form as the platform's own reader reads them; `undefined` where it refuses it. */
export async function readWithFormData(
  body: Buffer,
  boundary: string,
): Promise<ReadPart[] | undefined> {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const form = await new Response(new Uint8Array(body), { headers })
    .formData()
    .catch(() => undefined)
  if (!form) return undefined
  const read = Array.from(form, async ([name, value]) => {
    if (typeof value === 'string') {
      return { name, filename: undefined, content: Buffer.from(value).toString('latin1') }
    }
    const content = Buffer.from(await value.arrayBuffer()).toString('latin1')
    // It keeps paths of Windows, which are told apart by backslashes.
    return { name, filename: value.name.replace(/^.*[\\/]/s, ''), content }
  })
  return Promise.all(read)
}
