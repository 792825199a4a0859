import { randomBytes } from 'node:crypto'

import type { FormEntry } from '../../media/account-call.ts'

/** Encodes a `multipart/form-data` body with a random boundary. `type` is its content type. */
export function encodeForm(entries: readonly FormEntry[]): { bytes: Buffer; type: string } {
  const boundary = `dragoman-${randomBytes(16).toString('hex')}`
  const pieces = entries.flatMap(({ name, value }) => {
    const isText = typeof value === 'string'
    const file = isText ? {} : { filename: value.name, type: value.type }
    const head = Buffer.from(`--${boundary}\r\n${encodePartHead({ name, ...file })}`)
    return [head, isText ? Buffer.from(value) : value.bytes, Buffer.from('\r\n')]
  })
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return { bytes: Buffer.concat(pieces), type: `multipart/form-data; boundary=${boundary}` }
}

/** The headers of a part to encode. */
export interface FormPartHead {
  readonly name: string
  /** Absent for a text part. */
  readonly filename?: string | undefined
  readonly type?: string | undefined
}

/** Encodes the headers of a part, including the empty line after them. */
export function encodePartHead({ name, filename, type }: FormPartHead): string {
  const file = filename === undefined ? '' : `; filename="${escapeQuoted(filename)}"`
  const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`
  return `Content-Disposition: form-data; name="${escapeQuoted(name)}"${file}\r\n${typed}\r\n`
}

/** Escapes as browsers do (the multipart/form-data encoding algorithm of the HTML standard). */
function escapeQuoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
