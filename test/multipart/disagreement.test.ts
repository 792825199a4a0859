import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import type { PartTable } from '../../src/body/form/form-parser.ts'
import { type ReadPart, readWithBusboy, readWithFormData } from './other-readers.ts'
import { applyEdits } from '../../src/lib/json/edit.ts'
import { boundary, formOf, parse } from './forms.ts'

const whole = formOf([
  { name: 'prompt', content: 'a cat' },
  { name: 'image', filename: 'a.png', type: 'image/png', content: 'bytes' },
  { name: 'model', content: 'm' },
]).toString()

/** What readers of forms are known to disagree about. */
const seeds = [
  '\r\n',
  '\n',
  '\r',
  '--',
  '-',
  ' ',
  '\t',
  '"',
  ';',
  '\\',
  ':',
  'x',
  '%22',
  `--${boundary}`,
  `\r\n--${boundary}\r\n`,
  `\r\n--${boundary}--`,
  '; name="model"',
  '; name=model',
  "; name*=UTF-8''model",
  '; filename="b"',
  'Content-Disposition: form-data; name="model"\r\n',
  'X-Other: a\r\n',
]

interface Change {
  readonly place: number
  readonly removed: number
  readonly text: string
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  place: fc.nat({ max: whole.length }),
  removed: fc.oneof(fc.constant(0), fc.nat({ max: 12 })),
  text: fc.oneof(fc.constant(''), fc.constantFrom(...seeds)),
})

function changed(changes: readonly Change[]): Buffer {
  let text = whole
  for (const { place, removed, text: inserted } of changes) {
    text = text.slice(0, place) + inserted + text.slice(place + removed)
  }
  return Buffer.from(text, 'latin1')
}

function parseOrRefuse(body: Buffer): PartTable | undefined {
  try {
    return parse([body])
  } catch (error) {
    expect(error).toMatchObject({ name: 'GatewayError' })
    return undefined
  }
}

/** Not all readers leave quotes in names as browsers write them, nor those without quotes around. */
function decoded(part: ReadPart): ReadPart {
  const [name, filename] = [part.name, part.filename].map((text) => text?.replaceAll('%22', '"'))
  return { ...part, name: name ?? '', filename }
}

test('whatever is accepted of forms that were tampered with, other readers read alike', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 3 }), async (changes) => {
      const body = changed(changes)
      const table = parseOrRefuse(body)
      if (!table) return
      accepted++
      const ours = table.parts.map(({ name, filename, start, end }) => {
        return { name, filename, content: body.subarray(start, end).toString('latin1') }
      })
      const replayed = applyEdits(
        body,
        table.padding.map((range) => ({ ...range, text: '' })),
      )
      const theirs = await readWithBusboy(replayed, boundary)
      expect(ours.map(decoded)).toEqual(theirs.map(decoded))
      const platform = await readWithFormData(replayed, boundary)
      if (platform) expect(ours.map(decoded)).toEqual(platform.map(decoded))
    }),
    { numRuns: dailySteps(1_000) },
  )
  expect(accepted).toBeGreaterThan(50)
})
