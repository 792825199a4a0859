import { randomBytes } from 'node:crypto'

import type { FormEntry } from '../../media/account-call.ts'

/** A whole `multipart/form-data` body. */
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

export interface FormPartHead {
  readonly name: string
  /** Absent for a part that is no file. */
  readonly filename?: string | undefined
  readonly type?: string | undefined
}

/** The headers of a part, with the empty line after them. */
export function encodePartHead({ name, filename, type }: FormPartHead): string {
  const file = filename === undefined ? '' : `; filename="${escaped(filename)}"`
  const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`
  return `Content-Disposition: form-data; name="${escaped(name)}"${file}\r\n${typed}\r\n`
}

/** As browsers write it (the multipart/form-data encoding algorithm of the HTML standard). */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
