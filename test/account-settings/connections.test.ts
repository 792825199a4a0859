import { expect, test } from 'vitest'

import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { asDelivered, form, wholeStream } from '../walks/streams/forms.ts'
import { accountFor, createGate, openStream } from '../walks/streams/scripted.ts'

test('a stream goes on after a reload that changes how connections are made', async () => {
  const gate = createGate()
  await using account = await startFakeAccount(async (response) => {
    const [first, ...rest] = wholeStream(form.chat)
    openStream(response, [first!])
    await gate.opened
    response.end(rest.join(''))
  })
  const accountWith = (connectMs: number) =>
    accountFor(form.chat, 'only', account.url, { timeouts: { connectMs } })
  await using gateway = await createTestGateway({
    accounts: [accountWith(1_000)],
    timeouts: { keepAliveMs: 50 },
  })
  const response = await ask(gateway, form.chat)

  gateway.reload({ accounts: [accountWith(2_000)] })
  gate.open()

  const { text, reset } = await receive(response)
  expect(reset).toBe(false)
  expect(text.endsWith(asDelivered(form.chat, form.chat.ending))).toBe(true)
})

test('connections outlive a reload that changes something else', async () => {
  const sockets = new Set<unknown>()
  await using account = await startFakeAccount((response) => {
    sockets.add(response.socket)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(form.chat.reply))
  })
  const accountWith = (weight: number, connectMs: number) =>
    accountFor(form.chat, 'only', account.url, { weight, timeouts: { connectMs } })
  await using gateway = await createTestGateway({ accounts: [accountWith(1, 1_000)] })
  const call = async () => receive(await ask(gateway, form.chat, { stream: false }))

  await call()
  gateway.reload({ accounts: [accountWith(2, 1_000)] })
  await call()
  expect(sockets.size).toBe(1)

  gateway.reload({ accounts: [accountWith(2, 2_000)] })
  await call()
  expect(sockets.size).toBe(2)
})
