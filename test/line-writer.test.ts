import { expect, test } from 'vitest'

import { type LineSink, createLineWriter } from '../src/lib/log.ts'

test('what cannot be written as JSON takes no line of others along', async () => {
  const sink = collectTexts()
  const lines = createLineWriter(sink)
  lines.writeJson({ id: 'first' })
  lines.writeJson({ tokens: 10n })
  lines.write('a text')
  lines.writeJson({ id: 'last\u009b' })
  await lines.flush()
  const [first, unwritten, ...others] = sink.text().split('\n')
  expect(first).toBe('{"id":"first"}')
  expect(JSON.parse(unwritten ?? '')).toMatchObject({
    level: 'error',
    error: expect.stringContaining('BigInt'),
  })
  expect(others).toEqual(['a text', String.raw`{"id":"last\u009b"}`, ''])
})

test('many objects are written before their time', () => {
  const sink = collectTexts()
  const lines = createLineWriter(sink)
  for (let number = 0; number < 63; number++) lines.writeJson({ number })
  expect(sink.text()).toBe('')
  lines.writeJson({ number: 63 })
  expect(sink.text().match(/\n/g)).toHaveLength(64)
})

function collectTexts(): LineSink & { text(): string } {
  const texts: string[] = []
  return {
    writableLength: 0,
    write(text, callback) {
      texts.push(text)
      callback?.()
      return true
    },
    text: () => texts.join(''),
  }
}
