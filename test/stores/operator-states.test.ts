import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import {
  type StateChanges,
  followStates,
  listStates,
  setEnabled,
} from '../../src/stores/operator-states.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const noError = (error: unknown) => expect.unreachable(String(error))

test('an account that is switched says since when, and to switch it again changes nothing', async () => {
  const store = openMemoryStore()
  vi.setSystemTime(1_000)
  expect(await setEnabled(store, 'account', 'a', false)).toEqual({
    enabled: false,
    changedAt: 1_000,
  })
  vi.setSystemTime(2_000)
  expect(await setEnabled(store, 'account', 'a', false)).toEqual({
    enabled: false,
    changedAt: 1_000,
  })
  expect(await setEnabled(store, 'account', 'a', true)).toEqual({ enabled: true, changedAt: 2_000 })
  await setEnabled(store, 'account', 'b', false)
  expect([...(await listStates(store, 'account'))]).toEqual([
    ['a', { enabled: true, changedAt: 2_000 }],
    ['b', { enabled: false, changedAt: 2_000 }],
  ])
})

test('what was switched off before is known from the start', async () => {
  const store = openMemoryStore()
  await setEnabled(store, 'account', 'off', false)
  await setEnabled(store, 'account', 'on', true)
  const states = await followStates({ store, of: 'account', onError: noError })
  expect([...states.disabled]).toEqual(['off'])
  states.close()
})

test('what is switched later is known after a second, and told once', async () => {
  const store = openMemoryStore()
  const told: StateChanges[] = []
  const states = await followStates({ store, of: 'account', onError: noError })
  states.onChange((switched) => void told.push(switched))
  await setEnabled(store, 'account', 'a', false)
  await setEnabled(store, 'account', 'b', false)
  await vi.advanceTimersByTimeAsync(1000)
  expect([...states.disabled]).toEqual(['a', 'b'])
  await vi.advanceTimersByTimeAsync(3000)
  await setEnabled(store, 'account', 'a', true)
  await setEnabled(store, 'account', 'c', false)
  await vi.advanceTimersByTimeAsync(1000)
  expect([...states.disabled]).toEqual(['b', 'c'])
  expect(told).toEqual([
    { off: ['a', 'b'], on: [] },
    { off: ['c'], on: ['a'] },
  ])
  states.close()
})

test('a write that leaves the same accounts off is told to nobody', async () => {
  const store = openMemoryStore()
  const states = await followStates({ store, of: 'account', onError: noError })
  const told: StateChanges[] = []
  states.onChange((switched) => void told.push(switched))
  await setEnabled(store, 'account', 'a', true)
  await vi.advanceTimersByTimeAsync(1000)
  await setEnabled(store, 'account', 'b', false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(told).toEqual([{ off: ['b'], on: [] }])
  states.close()
})

test('a store that fails leaves the last known states, and is told of once a minute', async () => {
  const store = breakable(openMemoryStore())
  await setEnabled(store, 'account', 'a', false)
  const told: boolean[] = []
  const states = await followStates({
    store,
    of: 'account',
    onError: (_error, isKnown) => told.push(isKnown),
  })
  store.broken.reads = true
  await vi.advanceTimersByTimeAsync(59_000)
  expect(told).toEqual([true])
  expect([...states.disabled]).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toEqual([true, true])

  store.broken.reads = false
  await setEnabled(store, 'account', 'a', true)
  await vi.advanceTimersByTimeAsync(1000)
  expect([...states.disabled]).toEqual([])
  states.close()
})

test('a store that fails at first leaves all on, says so, and is heard as soon as it answers', async () => {
  const store = breakable(openMemoryStore())
  await setEnabled(store, 'account', 'a', false)
  store.broken.reads = true
  const told: boolean[] = []
  const states = await followStates({
    store,
    of: 'account',
    onError: (_error, isKnown) => told.push(isKnown),
  })
  expect(told).toEqual([false])
  expect([...states.disabled]).toEqual([])
  store.broken.reads = false
  await vi.advanceTimersByTimeAsync(1000)
  expect([...states.disabled]).toEqual(['a'])
  states.close()
})
