import { describe, expect, test } from 'vitest'

import { createResourceStore } from '../../plugins/bindings/resource-store.ts'
import { withPendingWrites } from '../../plugins/bindings/pending-writes.ts'
import { retryWrites } from '../../plugins/bindings/retry-writes.ts'
import type { Binding, Bindings } from '../../src/stores/bindings.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { until } from '../../src/testing/until.ts'

const name = { kind: 'response', keyId: 'k', id: 'r' }
const binding: Binding = { account: 'a', model: 'm', expiresAt: 1, kept: { said: 'one' } }
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** A store that ends no saving before it is told how, and all that stands before it. */
function undecided(before?: Binding) {
  let stands = before
  const saving: { end(): void; fail(): void }[] = []
  const stored: Bindings = {
    find: () => Promise.resolve(stands),
    findMany: (names) => Promise.all(names.map((one) => stored.find(one))),
    saveMany: (entries) =>
      Promise.all(entries.map((one) => stored.save(one.name, one.binding))).then(() => {}),
    save: (_, binding) =>
      new Promise((resolve, reject) => {
        saving.push({
          end() {
            stands = binding
            resolve()
          },
          fail: () => reject(new StoreUnavailable('It is away.')),
        })
      }),
    beginChain: () => new Promise(() => {}),
    change(_, next) {
      stands = (stands && next(stands)) ?? stands
      return Promise.resolve(stands)
    },
    changeKept(_, next) {
      if (!stands?.kept) return Promise.resolve(undefined)
      stands = { ...stands, kept: next(stands.kept) }
      return Promise.resolve(stands.kept)
    },
    forget() {
      stands = undefined
      return Promise.resolve()
    },
  }
  const bindings = withPendingWrites(stored)
  const again = retryWrites(bindings, () => {})
  const keeper = createResourceStore(bindings, again, silent)
  return {
    bindings,
    stored,
    again,
    keeper,
    save: () => bindings.save(name, binding).catch(() => again.add(name, binding)),
    end: () => saving.at(-1)?.end(),
    fail: () => saving.at(-1)?.fail(),
    [Symbol.dispose]: () => void again.close(),
  }
}

describe.concurrent('a binding that is being written', () => {
  test('is found, and is what the store has once it is written', async () => {
    using stage = undecided()
    const saved = stage.save()
    expect(await stage.bindings.find(name)).toEqual(binding)
    expect(await stage.bindings.find({ ...name, keyId: 'other' })).toBeUndefined()

    stage.end()
    await saved
    await stage.stored.forget(name)
    expect(await stage.bindings.find(name)).toBeUndefined()
  })

  test('is found when its write fails until somebody else has it', async () => {
    using stage = undecided()
    const saved = stage.save()
    stage.fail()

    const asked: Promise<Binding | undefined>[] = []
    while (stage.again.waiting === 0) {
      asked.push(stage.bindings.find(name))
      await Promise.resolve()
    }
    expect(new Set(await Promise.all(asked))).toEqual(new Set([binding]))
    await saved
    await until(async () => (await stage.bindings.find(name)) === undefined)
  })

  test('may begin its hour before that is written', async () => {
    using stage = undecided(binding)
    void stage.bindings.beginChain(name, 7)
    expect(await stage.bindings.find(name)).toEqual({ ...binding, chainUntil: 7 })
  })
})

describe.concurrent.each(['end', 'fail'] as const)('where a write is to %s', (how) => {
  test('a change waits for it, and is made to what was written', async () => {
    using stage = undecided()
    const saved = stage.save()
    const kept = stage.keeper.resourceOf(name, { said: 'one' }, [])
    const changed = kept.update((value) => ({ said: [value.said, 'two'] }))
    stage[how]()

    expect(await changed).toEqual({ said: ['one', 'two'] })
    await saved
    const found = how === 'end' ? await stage.stored.find(name) : stage.again.find(name)
    expect(found).toEqual({ ...binding, kept: { said: ['one', 'two'] } })
  })

  test('what is deleted meanwhile is deleted for good', async () => {
    using stage = undecided()
    const saved = stage.save()
    const forgotten = stage.keeper.forget(name)
    stage[how]()

    await Promise.all([saved, forgotten])
    expect(await stage.bindings.find(name)).toBeUndefined()
    expect(await stage.stored.find(name)).toBeUndefined()
    expect(stage.again.waiting).toBe(0)
  })
})
