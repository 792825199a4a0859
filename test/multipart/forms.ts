import { type FormLimits, FormParser, type PartTable } from '../../src/body/form/form-parser.ts'

/** A part as a test writes it. `head` stands instead of the headers that are made of the rest. */
export interface Written {
  readonly name?: string
  readonly filename?: string
  readonly type?: string
  readonly head?: string
  readonly content?: string | Buffer
}

export const boundary = 'a-boundary'

export const roomy: FormLimits = { formBytes: 64 * 1024 * 1024, formPartBytes: 64 * 1024 * 1024 }

/** A form as clients write it. */
export function formOf(parts: readonly Written[], mark = boundary): Buffer {
  const pieces = parts.flatMap(({ content = '', ...part }) => [
    Buffer.from(`--${mark}\r\n${headOf(part)}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${mark}--\r\n`)])
}

function headOf({ name, filename, type, head }: Written): string {
  if (head !== undefined) return head
  const file = filename === undefined ? '' : `; filename="${filename}"`
  const disposition = `Content-Disposition: form-data; name="${name}"${file}`
  return type === undefined ? disposition : `${disposition}\r\nContent-Type: ${type}`
}

/** What the parser makes of a form that comes in these chunks. */
export function parse(chunks: readonly Buffer[], limits = roomy, mark = boundary): PartTable {
  const parser = new FormParser(mark, limits)
  for (const chunk of chunks) parser.feed(chunk)
  return parser.finish()
}

/** A body cut at these places. */
export function cut(body: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % (body.length + 1)), body.length]
  const sorted = cuts.toSorted((left, right) => left - right)
  return sorted.slice(1).map((end, index) => body.subarray(sorted[index], end))
}

/** Each byte on its own. */
export function singly(body: Buffer): Buffer[] {
  return Array.from(body, (_, index) => body.subarray(index, index + 1))
}
