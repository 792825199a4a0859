import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { batchWork } from '../../plugins/dialects/files/batch-state.ts'
import { sumOfLines } from '../../src/jobs/line-usage.ts'

const { usageOf } = batchWork.resultsOf!({ output_file_id: 'file-1' })!
const line = (usage: string) => `{"response":{"body":{"usage":${usage}}}}`
const good = line('{"prompt_tokens":3,"completion_tokens":2}')

test.each([
  ['no JSON', 'x'],
  ['no object', 'null\n[]\n""'],
  ['another prototype', `{"__proto__":${good}}`],
  ['negative numbers', line('{"prompt_tokens":-5}')],
  ['numbers without end', line('{"prompt_tokens":1e300}')],
  ['a value that is nested deeply', line('['.repeat(9_999) + ']'.repeat(9_999))],
  ['more than 16 MiB', 'x'.repeat(17_000_000)],
])('a line of results with %s is none, and the others count', async (_, odd) => {
  expect(await sumOfLines(Buffer.from(`${odd}\n${good}\n${odd}`), usageOf)).toMatchObject({
    inputTokens: 3,
    outputTokens: 2,
    tier: 'batch',
  })
})

test('lines without end are no results', async () => {
  async function* text() {
    for (;;) yield Buffer.from('\n'.repeat(1_000))
  }
  expect(await sumOfLines(Readable.from(text()), usageOf)).toBeUndefined()
})
