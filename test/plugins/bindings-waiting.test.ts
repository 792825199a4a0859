import { describe, expect, test } from 'vitest'

import { retryWrites } from '../../plugins/bindings/retry-writes.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { type Binding, type BindingName, createBindings } from '../../src/stores/bindings.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'

const mebibyte = 1024 * 1024

const named = (id: string): BindingName => ({ kind: 'response', keyId: 'k', id })
const holding = (kept: JsonObject): Binding => ({
  account: 'a',
  model: 'm',
  expiresAt: Date.now() + 60_000,
  kept,
})

/** A store that cannot be written at first, and what waits for it. */
function waitingRoom() {
  const store = breakable(openMemoryStore())
  store.broken.writes = true
  const bindings = createBindings(store.records<Binding>('bindings'))
  const lost: string[] = []
  const again = retryWrites(bindings, ({ id }) => void lost.push(id))
  return {
    again,
    bindings,
    lost,
    open: () => void (store.broken.writes = false),
    [Symbol.dispose]: () => void again.close(),
  }
}

describe.concurrent('while a store is away', () => {
  test('what waits for it does not fill the memory: the oldest is given up', () => {
    using room = waitingRoom()
    const large = { text: 'x'.repeat(60 * mebibyte) }

    for (let id = 0; id < 6; id++) room.again.add(named(String(id)), holding(large))

    expect(room.lost).toEqual(['0', '1'])
    expect(room.again.find(named('5'))).toMatchObject({ kept: large })
    expect([room.again.waiting, room.again.lost]).toEqual([4, 2])
  })

  test('what is forgotten or written again takes no room any more', () => {
    using room = waitingRoom()
    const large = { text: 'x'.repeat(100 * mebibyte) }

    for (let time = 0; time < 9; time++) room.again.add(named('same'), holding(large))
    room.again.add(named('other'), holding(large))
    room.again.forget(named('same'))
    room.again.add(named('third'), holding(large))

    expect(room.lost).toEqual([])
    expect(room.again.waiting).toBe(2)
  })

  test("what nobody could write is given up, and is not in the others' way", async () => {
    using room = waitingRoom()
    const circle: Record<string, unknown> = {}
    room.again.addUpdate(named('bad'), () => Object.assign(circle, { circle }), {})
    room.again.add(named('good'), holding({ text: 'hi' }))
    room.open()
    await room.bindings.save(named('bad'), holding({}))

    await until(() => room.again.waiting === 0)

    expect(room.lost).toEqual(['bad'])
    expect(await room.bindings.find(named('good'))).toMatchObject({ kept: { text: 'hi' } })
  })

  test('changes wait in their order, and are made once', async () => {
    using room = waitingRoom()
    const name = named('conversation')
    const say = (word: string) => (kept: JsonObject) => ({ said: [...(kept.said as []), word] })
    room.open()
    await room.bindings.save(name, holding({ said: [] }))

    room.again.addUpdate(name, say('one'), { said: ['one'] })
    room.again.addUpdate(name, say('two'), { said: ['one', 'two'] })
    await until(() => room.again.waiting === 0)

    expect(await room.bindings.find(name)).toMatchObject({ kept: { said: ['one', 'two'] } })
  })

  test('what still waits at the end is written once more, or known to be lost', async () => {
    using soon = waitingRoom()
    soon.again.add(named('a'), holding({}))
    soon.open()
    await soon.again.close()
    expect(await soon.bindings.find(named('a'))).toMatchObject({ account: 'a' })
    expect(soon.lost).toEqual([])

    using never = waitingRoom()
    never.again.add(named('b'), holding({}))
    await never.again.close()
    expect(never.lost).toEqual(['b'])
    expect([never.again.waiting, never.again.lost]).toEqual([0, 1])
  })
})
