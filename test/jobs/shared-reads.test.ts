import { randomUUID } from 'node:crypto'

import { expect, test } from 'vitest'

import { type Waiter, createSharedReads } from '../../src/jobs/shared-reads.ts'

/** A client that leaves when it is told to. Two of one API key may read at a time. */
function reader(keyId: string = randomUUID()): Waiter & { leave(): void } {
  const watching = new Set<() => void>()
  const client = {
    gone: false,
    onGone(callback: () => void) {
      watching.add(callback)
      return () => watching.delete(callback)
    },
  }
  return {
    client,
    call: {},
    caller: { keyId },
    leave() {
      client.gone = true
      for (const callback of watching) callback()
    },
  } as unknown as Waiter & { leave(): void }
}

const forever = () => new Promise<never>(() => {})
const busy = { code: 'lookup_unavailable', status: 503, headers: { 'retry-after-ms': '1000' } }

test('a client whose turn does not come in time is told to come again', async () => {
  const { share } = createSharedReads(20)
  for (const what of ['a', 'b', 'c', 'd']) void share(what, reader(), forever)
  await expect(share('e', reader(), async () => 'e')).rejects.toMatchObject(busy)
})

test('one that leaves before its turn takes nobody else’s', async () => {
  const { share } = createSharedReads()
  const gates = ['a', 'b', 'c', 'd'].map((what) => {
    const gate = Promise.withResolvers<string>()
    return { ...gate, read: share(what, reader(), () => gate.promise) }
  })
  const leaving = reader()
  const left = share('e', leaving, async () => 'e')
  const next = share('f', reader(), async () => 'f')
  leaving.leave()
  await expect(left).rejects.toMatchObject({ code: 'client_closed_request' })
  gates[0]?.resolve('a')
  expect(await next).toBe('f')
  expect(await gates[0]?.read).toBe('a')
})

test('one that only listens leaves without ending what others wait for', async () => {
  const { share } = createSharedReads()
  const gate = Promise.withResolvers<string>()
  const first = share('a', reader(), () => gate.promise)
  const leaving = reader()
  const second = share('a', leaving, forever)
  leaving.leave()
  await expect(second).rejects.toMatchObject({ code: 'client_closed_request' })
  gate.resolve('all of it')
  expect(await first).toBe('all of it')
})

test('one key whose reads never end leaves slots to the others', async () => {
  const { share } = createSharedReads()
  for (const what of ['a', 'b', 'c', 'd', 'e'])
    share(what, reader('greedy'), forever).catch(() => {})
  expect(await share('f', reader('other'), async () => 'f')).toBe('f')
})

test('one key that asks for ever more is refused, and others are not', async () => {
  const { share } = createSharedReads()
  for (let count = 0; count < 100; count++)
    share(`a${count}`, reader('greedy'), forever).catch(() => {})
  await expect(share('b', reader('greedy'), async () => 'b')).rejects.toMatchObject(busy)
  expect(await share('c', reader('other'), async () => 'c')).toBe('c')
})
