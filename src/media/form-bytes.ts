import { randomBytes } from 'node:crypto'

import type { FormEntry } from './video.ts'

/** A whole `multipart/form-data` body. */
export function encodeForm(entries: readonly FormEntry[]): { bytes: Buffer; type: string } {
  const boundary = `dragoman-${randomBytes(16).toString('hex')}`
  const pieces = entries.flatMap(({ name, value }) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"`
    if (typeof value === 'string') return [Buffer.from(`${head}\r\n\r\n${value}\r\n`)]
    const file = `; filename="${escaped(value.name)}"\r\ncontent-type: ${value.type}\r\n\r\n`
    return [Buffer.from(head + file), value.bytes, Buffer.from('\r\n')]
  })
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return { bytes: Buffer.concat(pieces), type: `multipart/form-data; boundary=${boundary}` }
}

/** As browsers write it (the multipart/form-data encoding algorithm of the HTML standard). */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
