import { array, assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import { anyReply as replyFor } from '../any-reply.ts'
import { decode, decodedEvents, encodedResult, written } from './codec.ts'
import { disorderOf } from './neutral-order.ts'

const anyReply = replyFor('responses')

test('any reply that a client sends back is the turn that it was', () => {
  assert(
    property(anyReply, (told) => {
      const input = encodedResult(told).body.output
      const [turn] = decode({ input }).turns
      const said = turn?.role === 'assistant' ? turn.content : []
      expect(said.map(partOf)).toEqual((told.choices[0]?.content ?? []).map(partOf))
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

/** A part without the id of the item that its signature stands in. */
function partOf({ signature, ...part }: AssistantPart & { signature?: { value: string } }) {
  return { ...part, signature: signature?.value }
}
