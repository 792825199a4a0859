import * as fc from 'fast-check'

import type { Written } from './forms.ts'

/** Pieces that look like the ends of parts. */
const lookalikes = ['\r\n', '\r\n--', '--', '\r', '\n', '-', '\r\n--a-', '--a-boundar', '\r\n\r\n']

const content: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...lookalikes).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => Buffer.concat(pieces))
  // What holds the boundary is no content of this form.
  .filter((bytes) => !bytes.includes('--a-boundary'))

const text = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .filter((value) => !value.includes('--a-'))

const name = fc
  .stringMatching(/^[a-z][a-z0-9_.-]{0,12}(\[\d{0,2}\])?$/)
  .filter((value) => !/^(model|stream|previous_response_id)(\[|$)/.test(value))

const file: fc.Arbitrary<Written> = fc.record({
  name,
  filename: fc.stringMatching(/^[a-z0-9 ;=,é()-]{1,16}\.png$/),
  type: fc.constantFrom('image/png', 'application/octet-stream', 'image/webp'),
  content,
})

const field: fc.Arbitrary<Written> = fc.record({ name, content: text })

/** Any form that a client could mean, with some files that look like the end of one. */
export const anyParts: fc.Arbitrary<Written[]> = fc.array(fc.oneof(file, field), {
  minLength: 1,
  maxLength: 8,
})

/** Places to cut a body at. */
export const anyCuts = fc.array(fc.nat({ max: 5_000 }), { maxLength: 20 })
