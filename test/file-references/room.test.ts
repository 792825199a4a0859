import { expect, test } from 'vitest'

import type { Routed } from '../../src/contract/exchange.ts'
import { UploadRoom, takeRoom } from '../../src/file-references/room.ts'

/** An exchange of a gateway; the kernel writes its attempts into it. */
function exchangeIn(room: UploadRoom) {
  return { progress: { room, held: [] } } as unknown as Routed & {
    attempt: number
    candidate: object
  }
}

function end({ progress }: Routed): void {
  for (const disposable of progress.held) disposable[Symbol.dispose]()
}

test('what another account is told takes the place of what the one before was told', () => {
  const room = new UploadRoom(100)
  const exchange = exchangeIn(room)
  for (const [attempt, candidate] of [
    [1, {}],
    // The first one declined before it was asked.
    [1, {}],
    [2, {}],
  ] as const) {
    Object.assign(exchange, { attempt, candidate })
    takeRoom(exchange, 40)
    takeRoom(exchange, 40)
    expect(room.bytes).toBe(80)
  }
  end(exchange)
  expect(room.bytes).toBe(0)
})

test('what stands in the body itself stays for all accounts', () => {
  const room = new UploadRoom(100)
  const exchange = exchangeIn(room)
  takeRoom(exchange, 40)
  for (const attempt of [1, 2]) {
    Object.assign(exchange, { attempt, candidate: {} })
    takeRoom(exchange, 40)
    expect(room.bytes).toBe(80)
  }
  end(exchange)
  expect(room.bytes).toBe(0)
})

test('a request that is refused has taken nothing by that, and takes nothing from others', () => {
  const room = new UploadRoom(100)
  const [first, second] = [exchangeIn(room), exchangeIn(room)]
  takeRoom(first, 60)
  expect(() => takeRoom(second, 60)).toThrow(expect.objectContaining({ status: 503 }))
  expect(() => takeRoom(first, 60)).toThrow(expect.objectContaining({ status: 413 }))
  expect(room.bytes).toBe(60)
  end(first)
  takeRoom(second, 60)
  expect(room.bytes).toBe(60)
})
