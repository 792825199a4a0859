import { expect, test } from 'vitest'

import type { Refusal } from '../../src/contract/refusal.ts'
import { mentionsContextLength } from '../../src/kit/codec/failure.ts'
import { googleRefusals } from '../../plugins/dialects/shared/google-refusals.ts'
import { openAiRefusals } from '../../plugins/dialects/shared/openai-refusals.ts'
import { subjectOfRefusal } from '../../src/kit/refusal-subject.ts'
import { subjectOfRefusal as subjectOf } from '../../plugins/dialects/messages/refusals.ts'

/** More than patterns look at. */
const beginning = 'a '.repeat(10_000)

function refusal(status: number, message: string): Refusal {
  return { status, error: { message }, headers: {} }
}

/** Texts that a pattern finds anywhere in a message. */
test.each([
  [googleRefusals, 400, 'not found (or permission denied)'],
  [googleRefusals, 400, 'permission to access the File x or it may not exist'],
  [openAiRefusals, 402, 'you can only afford 12'],
  [openAiRefusals, 403, 'your input was flagged'],
] as const)(
  'patterns for refusals look at the beginning of a message only: %#',
  (upstream, status, text) => {
    expect(subjectOfRefusal(refusal(status, text), upstream)).toBe('request')
    expect(subjectOfRefusal(refusal(status, `An error: ${text}`), upstream)).toBe('request')
    expect(subjectOfRefusal(refusal(status, beginning + text), upstream)).not.toBe('request')
  },
)

test('a long beginning of a message is as good as a short message', () => {
  const message = `Your credit balance is too low. ${beginning}`
  expect(subjectOfRefusal(refusal(400, message), { subjectOf })).toBe('credit')
})

test('patterns for long inputs look at the beginning of a message only', () => {
  const message = 'The input token count (1048600) exceeds the maximum number of tokens allowed.'
  expect(mentionsContextLength(400, { message })).toBe(true)
  expect(mentionsContextLength(400, { message: message + beginning })).toBe(true)
  expect(mentionsContextLength(400, { message: beginning + message })).toBe(false)
})
