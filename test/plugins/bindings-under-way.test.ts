import { describe, expect, test } from 'vitest'

import { knownEarly } from '../../plugins/bindings/under-way.ts'
import type { Binding, Bindings } from '../../src/stores/bindings.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { until } from '../../src/testing/index.ts'

const name = { kind: 'response', keyId: 'k', id: 'r' }
const binding: Binding = { account: 'a', model: 'm', expiresAt: 1, kept: { said: 'one' } }

/** Bindings of a store that ends no write before it is told how. */
function undecided(stands?: Binding) {
  const writes: PromiseWithResolvers<undefined>[] = []
  const write = () => {
    const one = Promise.withResolvers<undefined>()
    writes.push(one)
    return one.promise
  }
  const stored: Bindings = {
    find: () => Promise.resolve(stands),
    save: write,
    beginChain: write,
    changeKept: write,
    forget: () => Promise.resolve(),
  }
  return { bindings: knownEarly(stored), writes }
}

describe.concurrent('a binding that is being written', () => {
  test('is found, and is what the store has once it is written', async () => {
    const { bindings, writes } = undecided()
    const saved = bindings.save(name, binding)
    expect(await bindings.find(name)).toEqual(binding)
    expect(await bindings.find({ ...name, keyId: 'other' })).toBeUndefined()

    writes[0]!.resolve(undefined)
    await saved
    expect(await bindings.find(name)).toBeUndefined()
  })

  test('is found when its write fails until somebody else has it', async () => {
    const { bindings, writes } = undecided()
    const kept: Binding[] = []
    const saved = bindings.save(name, binding).catch(() => kept.push(binding))
    writes[0]!.reject(new StoreUnavailable('It is away.'))

    const asked: Promise<Binding | undefined>[] = []
    while (kept.length === 0) {
      asked.push(bindings.find(name))
      await Promise.resolve()
    }
    expect(new Set(await Promise.all(asked))).toEqual(new Set([binding]))
    await saved
    await until(async () => (await bindings.find(name)) === undefined)
  })

  test('may begin its hour before that is written', async () => {
    const { bindings } = undecided(binding)
    void bindings.beginChain(name, 7)
    expect(await bindings.find(name)).toEqual({ ...binding, chainUntil: 7 })
  })

  test('shows no change that its client may yet hear to have failed', async () => {
    const { bindings } = undecided(binding)
    void bindings.changeKept(name, () => ({ said: 'never' }))
    expect(await bindings.find(name)).toEqual(binding)
  })

  test('is gone once it is forgotten', async () => {
    const { bindings } = undecided()
    void bindings.save(name, binding)
    await bindings.forget(name)
    expect(await bindings.find(name)).toBeUndefined()
  })
})
