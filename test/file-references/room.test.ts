import { expect, test } from 'vitest'

import type { Attempt, Routed } from '../../src/contract/exchange.ts'
import { UploadMemoryPool } from '../../src/file-references/upload-memory.ts'
import { reserveMemory } from '../../src/kit/reserve-memory.ts'

/** An exchange of a gateway; the kernel writes its attempts into it. */
function exchangeIn(room: UploadMemoryPool) {
  return { progress: { uploadBudget: room, disposables: [] } } as unknown as Routed & {
    attempt: Attempt
  }
}

function end({ progress }: Routed): void {
  for (const disposable of progress.disposables) disposable[Symbol.dispose]()
}

test('what another account is told takes the place of what the one before was told', () => {
  const room = new UploadMemoryPool(100)
  const exchange = exchangeIn(room)
  // The first account declines before a request is sent, so that two attempts are number 1.
  for (const number of [1, 1, 2]) {
    Object.assign(exchange, { attempt: { number } })
    void reserveMemory(exchange, 40)
    void reserveMemory(exchange, 40)
    expect(room.bytes).toBe(80)
  }
  end(exchange)
  expect(room.bytes).toBe(0)
})

test('what stands in the body itself stays for all accounts', () => {
  const room = new UploadMemoryPool(100)
  const exchange = exchangeIn(room)
  void reserveMemory(exchange, 40)
  for (const number of [1, 2]) {
    Object.assign(exchange, { attempt: { number } })
    void reserveMemory(exchange, 40)
    expect(room.bytes).toBe(80)
  }
  end(exchange)
  expect(room.bytes).toBe(0)
})

test('a request that is refused has taken nothing by that, and takes nothing from others', () => {
  const room = new UploadMemoryPool(100)
  const [first, second] = [exchangeIn(room), exchangeIn(room)]
  void reserveMemory(first, 60)
  expect(() => void reserveMemory(second, 60)).toThrow(expect.objectContaining({ status: 503 }))
  expect(() => void reserveMemory(first, 60)).toThrow(expect.objectContaining({ status: 413 }))
  expect(room.bytes).toBe(60)
  end(first)
  void reserveMemory(second, 60)
  expect(room.bytes).toBe(60)
})
