import { expect, test } from 'vitest'

import { type Binding, createBindings } from '../../../src/stores/bindings.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { accountOf, ask, connect, notFound, refusal } from '../chaining/asking.ts'
import { preferB, startStage } from '../chaining/stage.ts'
import { newest, startKept } from './stage.ts'

const hour = 60 * 60_000

test('a client that looks a response up neither gains nor loses time to go on from it', async () => {
  await using stage = await startStage()
  const client = connect(stage)
  const { id } = await ask(client)

  stage.now += hour - 1
  expect(await client.responses.retrieve(id)).toMatchObject({ id, status: 'completed' })
  expect(accountOf(await ask(client, { previous_response_id: id }))).toBe('a')
  stage.now += 1

  expect(await refusal(newest, ask(client, { previous_response_id: id }))).toEqual(notFound(id))
})

test('a client whose account fails may ask it again, for nobody else has its response', async () => {
  await using stage = await startStage()
  const client = connect(stage)
  const { id } = await ask(client)
  stage.configure(preferB)

  const failing = { stream: false, headers: { 'x-sandbox': 'status=500' } }
  const told = await refusal(newest, ask(client, { previous_response_id: id }, failing))

  expect(told).toMatchObject({ status: 500, shouldRetry: null })
  expect(stage.asked('b')).toEqual([])
  expect(accountOf(await ask(client, { previous_response_id: id }))).toBe('a')
})

test('what is kept of a response is the same after a client went on from it', async () => {
  const store = openMemoryStore()
  const open = () => Promise.resolve({ store, [Symbol.asyncDispose]: () => store.close() })
  await using stage = await startKept('chat', open)
  const client = connect(stage)
  const { id } = await ask(client)
  const bindings = createBindings(store.records<Binding>('bindings'))
  const find = () => bindings.find({ kind: 'response', keyId: 'mine', id })
  const before = await find()

  const next = await ask(client, { previous_response_id: id })

  expect(next.status).toBe('completed')
  expect(before?.kept).toMatchObject({ response: { id } })
  expect(await find()).toEqual(before)
})
