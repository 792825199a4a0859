import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { CallTable } from '../../plugins/dialects/chat/codec/decode-reply/call-table.ts'
import { ItemPlaces } from '../../plugins/dialects/responses/codec/decode-reply/item-places.ts'
import { Frames } from '../../plugins/dialects/responses/codec/encode-reply/frames.ts'
import {
  type MessagePart,
  MessageItem,
} from '../../plugins/dialects/responses/codec/encode-reply/message-item.ts'

const slots = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined })
const ids = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined })

test('a call is the last of its slot, and the first of its id', () => {
  const calls = fc.array(fc.record({ slot: slots, upstreamId: ids, id: fc.constantFrom('x', 'y') }))
  fc.assert(
    fc.property(calls, (list) => {
      const table = new CallTable<(typeof list)[number]>()
      list.forEach((call) => table.add(call))
      expect([...table.values()]).toEqual(list)
      expect(table.last).toBe(list.at(-1))
      for (const slot of [0, 1, 2, 3, 4]) {
        expect(table.lastIn(slot)).toBe(list.findLast((call) => call.slot === slot))
      }
      for (const id of ['a', 'b', 'c', 'd', 'x', 'y']) {
        expect(table.firstWith(id)).toBe(list.find((call) => call.upstreamId === id))
        expect(table.hasId(id)).toBe(list.some((call) => call.id === id))
      }
    }),
  )
})

test('of the items with one id the one counts whose index came first', () => {
  const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), ids))
  fc.assert(
    fc.property(changes, (list) => {
      const places = new ItemPlaces()
      const items = new Map<number, string | undefined>()
      for (const [index, id] of list) {
        places.set(index, id, items.get(index))
        items.set(index, id)
        for (const one of ['a', 'b', 'c', 'd']) {
          expect(places.first(one)).toBe([...items].find(([, other]) => other === one)?.[0])
        }
      }
    }),
  )
})

/** A part that counts how often something looks at it. */
class WatchedPart implements MessagePart {
  looks = 0
  hasEnded = false

  get isOpen(): boolean {
    this.looks++
    return !this.hasEnded
  }

  json() {
    return {}
  }
}

test('the parts of a message that have ended are looked at no more', () => {
  const message = new MessageItem('m')
  const parts = Array.from({ length: 1_000 }, () => new WatchedPart())
  for (const part of parts) message.add(part, 0, new Frames())
  for (const part of parts) {
    expect(message.isOpen).toBe(true)
    part.hasEnded = true
  }
  expect(message.isOpen).toBe(false)
  expect(Math.max(...parts.map(({ looks }) => looks))).toBeLessThan(4)
})
