import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { ask, receive } from '../streams/asking.ts'
import { upToOutput } from '../streams/forms.ts'
import { createGate, cut, openStream } from '../streams/scripted.ts'
import { startMixed } from './mixed.ts'
import { errorIn, pairs } from './pairs.ts'

describe.each(dailyRows(pairs))('$pair', ({ client, account }) => {
  test('an error inside the stream reaches the client as an error of its own dialect', async () => {
    const seen = createGate()
    await using mixed = await startMixed({
      foreign: {
        form: account,
        async script(response) {
          openStream(response, upToOutput(account))
          await seen.opened
          response.end(account.inBandError)
        },
      },
    })

    const response = await ask(mixed.gateway, client)
    // Its head is here, so the output is on its way.
    seen.open()
    const { text, reset } = await receive(response)

    expect(response.status).toBe(200)
    expect(text).toContain('Hello')
    expect(text).toContain('overworked')
    expect(text).not.toMatch(client.success)
    expect(reset).toBe(client.resets)
    const [line] = await mixed.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'broken', level: 'error' })
  })

  test('an error before the first output is an answer with a status of its own', async () => {
    await using mixed = await startMixed({
      foreign: {
        form: account,
        script(response) {
          openStream(response)
          response.end(account.inBandError)
        },
      },
    })

    const response = await ask(mixed.gateway, client)

    expect(response.status).toBeGreaterThanOrEqual(500)
    const error = errorIn(client, await response.text())
    expect(error).toMatchObject({ code: response.status, message: 'overworked' })
  })

  test('a reply that breaks off is no success', async () => {
    await using mixed = await startMixed({
      foreign: {
        form: account,
        script(response) {
          openStream(response, upToOutput(account))
          cut(response)
        },
      },
    })

    const { text, reset } = await receive(await ask(mixed.gateway, client))

    expect(text).toContain('Hello')
    expect(text).not.toMatch(client.success)
    expect(text).toMatch(/error/)
    expect(reset).toBe(client.resets)
  })

  test('an account that cannot be reached is told of without its address', async () => {
    const gone = await startFakeAccount(() => {})
    await gone[Symbol.asyncDispose]()
    const { host } = new URL(gone.url)
    const baseUrl = account.provider === 'openai' ? `${gone.url}/v1` : gone.url
    await using mixed = await startMixed({ foreign: { form: account, settings: { baseUrl } } })

    const response = await ask(mixed.gateway, client)
    const text = await response.text()

    expect(response.status).toBe(502)
    expect(errorIn(client, text)).toMatchObject({ code: 502 })
    expect(text).not.toContain(host)
  })
})
