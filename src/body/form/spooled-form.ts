import type { Readable } from 'node:stream'

import type { ByteEdit } from '../../lib/json/edit.ts'
import type { ByteRange } from '../../lib/json/scan.ts'
import { type Segment, lengthOf } from '../spool/segment-stream.ts'
import type { SpooledBody } from '../spool/spooled-body.ts'
import type { Form, FormPart, FormReplay } from '../../contract/body.ts'
import type { PartTable } from './form-parser.ts'

/** A form whose bytes are in the spool. */
export class SpooledForm implements Form {
  readonly contentType: string
  readonly parts: readonly FormPart[]
  readonly end: number
  readonly #table: PartTable
  readonly #spooled: SpooledBody

  constructor(contentType: string, table: PartTable, spooled: SpooledBody) {
    this.contentType = contentType
    this.parts = table.parts
    this.end = table.end
    this.#table = table
    this.#spooled = spooled
  }

  get size(): number {
    return this.#spooled.size
  }

  text(name: string): string | undefined {
    return this.#table.texts.get(name)
  }

  read({ start, end }: FormPart, bytes: number): Promise<Buffer> {
    return this.#spooled.read(start, Math.min(end, start + bytes))
  }

  open({ start, end }: FormPart): Readable {
    return this.#spooled.stream([{ start, end }])
  }

  replay(edits: readonly ByteEdit[] = []): FormReplay {
    const padding = this.#table.padding.filter(
      (range) => !edits.some((edit) => contains(edit, range)),
    )
    const removals = padding.map((range) => ({ ...range, text: '' }))
    const segments = segmentsOf(this.size, [...edits, ...removals])
    const length = segments.reduce((sum, segment) => sum + lengthOf(segment), 0)
    return { stream: this.#spooled.stream(segments), length }
  }
}

function contains(edit: ByteRange, { start, end }: ByteRange): boolean {
  return edit.start <= start && end <= edit.end
}

/** Orders edits by position; an insertion comes before a replacement at the same position. */
function byPosition(left: ByteEdit, right: ByteEdit): number {
  return left.start - right.start || left.end - right.end
}

/** The segments of an edited body. Throws `RangeError` if edits overlap or exceed the body. */
function segmentsOf(size: number, edits: readonly ByteEdit[]): Segment[] {
  const segments: Segment[] = []
  let position = 0
  for (const { start, end, text } of edits.toSorted(byPosition)) {
    if (start < position || end < start || end > size) {
      throw new RangeError('The edits of a form overlap or exceed it.')
    }
    segments.push({ start: position, end: start }, Buffer.from(text))
    position = end
  }
  segments.push({ start: position, end: size })
  return segments
}
