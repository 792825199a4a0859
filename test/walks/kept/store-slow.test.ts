import { describe, expect, test } from 'vitest'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import type { Records, Store } from '../../../src/stores/store.ts'
import { ask, connect, ways } from '../chaining/asking.ts'
import { preferB } from '../chaining/stage.ts'
import { newest, startKept, wordsTold } from './stage.ts'

/** A store that writes nothing before it is let, and has not failed either. */
function slowStore() {
  const store = openMemoryStore()
  const held = { until: Promise.resolve() }
  let release = () => {}
  const slow: Store = {
    ...store,
    records<T>(...given: Parameters<Store['records']>): Records<T> {
      const records = store.records<T>(...given)
      return { ...records, set: (...words) => held.until.then(() => records.set(...words)) }
    },
  }
  return {
    open: () => Promise.resolve({ store: slow, [Symbol.asyncDispose]: () => store.close() }),
    hold: () => void (held.until = new Promise((resolve) => (release = resolve))),
    release: () => release(),
  }
}

describe.concurrent('a store that is slower than a reply waits for', () => {
  test.for(ways)('has what it is still writing ($way)', async (way) => {
    const { open, hold, release } = slowStore()
    await using stage = await startKept('chat', open)
    const client = connect(stage, newest)
    hold()

    const first = await ask(client, { input: 'one apple' }, way)
    stage.configure(preferB)
    const second = await ask(client, { input: 'two', previous_response_id: first.id }, way)
    expect(second.output_text).toBe('a')
    expect(wordsTold(stage, 'one apple', 'two')).toEqual(['one apple', 'two'])
    expect(await client.responses.retrieve(second.id)).toMatchObject({ output_text: 'a' })

    release()
    const third = await ask(client, { input: 'three', previous_response_id: second.id }, way)
    expect(third.output_text).toBe('a')
    expect(stage.asked('b')).toEqual([])
  })
})
