import { describe, expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { ask, receive } from './asking.ts'
import { asDelivered, form, type Form } from './forms.ts'
import { accountFor, cut, openStream } from './scripted.ts'
import { askWithoutReading, bigFrame, flood, type Flood } from './slow-reader.ts'
import { readToldError } from './told-error.ts'

const megabyte = 1024 * 1024

/** Two accounts: one floods its client, the other one falls silent. */
async function floodStage(form: Form, most = Infinity, frameBytes = 16_000) {
  const floods: Flood[] = []
  const flooding = await startFakeAccount((response) => {
    openStream(response, form.announcements)
    floods.push(flood(response, bigFrame(form, frameBytes), { most }))
  })
  const silent = await startFakeAccount((response) => openStream(response, form.output))
  const gateway = await createTestGateway({
    accounts: [
      accountFor(form, 'flooding', flooding.url, { models: ['m'] }),
      accountFor(form, 'silent', silent.url, { models: ['silent'] }),
    ],
    // The account, the gateway and nine clients share a thread: none falls silent by that.
    timeouts: { idleMs: 1_500 },
  })
  return {
    floods,
    gateway,
    /** Resolves when the gateway has given up a silent account that was asked after now. */
    async idleTimeHasPassed() {
      const { text } = await receive(await ask(gateway, form, { model: 'silent' }))
      expect(text).toContain('did not continue in time')
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await flooding[Symbol.asyncDispose]()
      await silent[Symbol.asyncDispose]()
    },
  }
}

// One that passes as it is, one that may end with a reset, one that is framed anew.
const kinds = [form.chat, form.generate, form['generate-array']]

describe.concurrent.each(kinds)('a $name client that reads nothing for a while', (form) => {
  test.each([16_000, 5 * megabyte])(
    'makes its account wait with frames of %i bytes, in bounded memory, until it leaves',
    async (frameBytes) => {
      await using scene = await floodStage(form, Infinity, frameBytes)

      const client = await askWithoutReading(scene.gateway, form)
      await until(() => scene.floods[0]!.blocked)
      await scene.idleTimeHasPassed()
      await scene.idleTimeHasPassed()
      expect(scene.floods[0]!.written).toBeLessThan(32 * megabyte)
      expect(scene.floods[0]!.closed).toBe(false)
      client.leave()

      await until(() => scene.floods[0]!.closed)
      const lines = await scene.gateway.logged(3)
      expect(lines.at(-1)).toMatchObject({ stream_end: 'client_gone', account: 'flooding' })
    },
  )

  test('still gets every byte, though the account was not heard of for long', async () => {
    await using scene = await floodStage(form, 12 * megabyte)

    const client = await askWithoutReading(scene.gateway, form)
    await until(() => scene.floods[0]!.blocked)
    await scene.idleTimeHasPassed()
    const { text } = await client.read()

    const good = floodedText(form, 12 * megabyte)
    expect(text.startsWith(good)).toBe(true)
    expect(readToldError(form, text.slice(good.length)).status).toBe(504)
  })

  test('gets all that came before a failure, and the failure', async () => {
    const most = 12 * megabyte
    const floods: Flood[] = []
    await using account = await startFakeAccount((response) => {
      openStream(response, form.announcements)
      const onDone = () => cut(response)
      floods.push(flood(response, bigFrame(form, 16_000), { most, onDone }))
    })
    await using gateway = await createTestGateway({
      accounts: [accountFor(form, 'only', account.url)],
    })

    const client = await askWithoutReading(gateway, form)
    await until(() => floods[0]!.blocked)
    const { text, reset } = await client.read()

    const good = floodedText(form, most)
    expect(text.startsWith(good)).toBe(true)
    expect(readToldError(form, text.slice(good.length)).status).toBe(502)
    expect(reset).toBe(form.resets)
  })
})

function floodedText(form: Form, most: number): string {
  const frame = bigFrame(form, 16_000)
  const count = Math.ceil(most / frame.length)
  return asDelivered(form, [...form.announcements, ...Array.from({ length: count }, () => frame)])
}
