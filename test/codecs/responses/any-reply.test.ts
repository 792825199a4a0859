import { array, assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { anyReply } from './arbitrary.ts'
import { collected, decode, decodedEvents, decodedResult, encodedResult, written } from './codec.ts'
import { disorderOf } from './neutral-order.ts'

/** Without what only the reply as a whole has, and the ids of the items that signatures stand in. */
function meaningOf(result: GenerateResult | undefined) {
  const [choice] = result?.choices ?? []
  const content = choice?.content.map((part) => {
    if (!('signature' in part) || !part.signature) return part
    const { dialect, value } = part.signature
    return { ...part, signature: { dialect, value } }
  })
  return { content, reason: choice?.stop.reason, usage: result?.usage }
}

test('any reply means the same after writing and reading, in JSON and in a stream', () => {
  assert(
    property(anyReply, (told) => {
      const expected = meaningOf(told)
      expect(meaningOf(decodedResult(encodedResult(told).body) as GenerateResult)).toEqual(expected)
      expect(meaningOf(collected(written(told)))).toEqual(expected)
    }),
  )
})

test('any reply that a client sends back is the turn that it was', () => {
  assert(
    property(anyReply, (told) => {
      const input = encodedResult(told).body.output
      const { content = [] } = told.choices[0] ?? {}
      expect(decode({ input }).turns).toEqual(
        content.length === 0 ? [] : [{ role: 'assistant', content }],
      )
    }),
  )
})

test('any stream is read in the neutral order, also with events lost, doubled and swapped', () => {
  const change = constantFrom('drop' as const, 'double' as const, 'swap' as const)
  assert(
    property(
      anyReply,
      array(change, { maxLength: 3 }),
      array(integer({ min: 0 }), { minLength: 3 }),
      (told, changes, places) => {
        const events = written(told)
        for (const [index, kind] of changes.entries()) {
          const at = (places[index] ?? 0) % events.length
          const event = events[at]
          if (!event) continue
          if (kind === 'drop') events.splice(at, 1)
          if (kind === 'double') events.splice(at, 0, event)
          if (kind === 'swap') events.splice(at, 2, ...events.slice(at, at + 2).toReversed())
        }
        const decoded = decodedOrRefused(events)
        if (decoded) expect(disorderOf(decoded)).toEqual([])
      },
    ),
  )
})

test('a stream without its terminal never ends as a success', () => {
  assert(
    property(anyReply, (told) => {
      const events = decodedOrRefused(written(told).slice(0, -1)) ?? []
      expect(events.filter(({ type }) => type === 'finish')).toEqual([])
    }),
  )
})

function decodedOrRefused(events: Parameters<typeof decodedEvents>[0]) {
  try {
    return decodedEvents(events)
  } catch (error) {
    expect(GatewayError.isInstance(error)).toBe(true)
    return undefined
  }
}
