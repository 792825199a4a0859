import { describe, expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { ask } from './asking.ts'
import { form, forms, upToOutput } from './forms.ts'
import { accountFor, createGate, openStream, stage } from './scripted.ts'
import { watchClients } from './watch-clients.ts'

/** What a client that has left has to be billed for. */
const usage = {
  chat: 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n',
}

describe.concurrent.each(forms)(
  'with `clientGone: drain`, the account of a $name client',
  (form) => {
    const ending =
      form.name === 'chat' ? [form.ending[0]!, usage.chat, form.ending[1]!] : form.ending

    test('is read to its end, so that the tokens are known', async () => {
      const gate = createGate()
      const clients = watchClients()
      await using scene = await stage(
        form,
        async (response) => {
          openStream(response, upToOutput(form))
          await gate.opened
          response.end(ending.join(''))
        },
        { clientGone: 'drain', plugins: [clients.plugin] },
      )
      const leaving = new AbortController()

      await ask(scene.gateway, form, { signal: leaving.signal })
      leaving.abort()
      await clients.allGone()
      gate.open()

      const [line] = await scene.gateway.logged(1)
      expect(line).toMatchObject({
        stream_end: 'client_gone',
        input_tokens: 3,
        output_tokens: 2,
      })
      expect(scene.account.requests[0]!.aborted).toBe(false)
    })

    test('is read to its end in JSON, too', async () => {
      const gate = createGate()
      const clients = watchClients()
      await using scene = await stage(
        form,
        async (response) => {
          await gate.opened
          response.end(JSON.stringify(form.reply))
        },
        { clientGone: 'drain', plugins: [clients.plugin] },
      )
      const leaving = new AbortController()

      const asked = ask(scene.gateway, form, { stream: false, signal: leaving.signal })
      await until(() => scene.account.requests.length === 1)
      leaving.abort()
      await expect(asked).rejects.toThrow('aborted')
      await clients.allGone()
      gate.open()

      const [line] = await scene.gateway.logged(1)
      expect(line).toMatchObject({ stream_end: 'client_gone', input_tokens: 3, output_tokens: 2 })
      expect(scene.account.requests[0]!.aborted).toBe(false)
    })

    test.each([{ stream: true }, { stream: false }])(
      'is let go when it takes too long (stream: $stream)',
      async ({ stream }) => {
        await using scene = await stage(
          form,
          (response) => {
            if (stream) openStream(response, upToOutput(form))
          },
          { clientGone: 'drain', timeouts: { drainMs: 200 } },
        )
        const leaving = new AbortController()

        const asked = ask(scene.gateway, form, { stream, signal: leaving.signal })
        if (stream) await asked
        await until(() => scene.account.requests.length === 1)
        leaving.abort()
        if (!stream) await expect(asked).rejects.toThrow('aborted')

        await until(() => scene.account.requests[0]!.aborted, 3_000)
        expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'client_gone' })
      },
    )
  },
)

test('with `clientGone: drain` no second account is asked for a client that has left', async () => {
  const gate = createGate()
  const clients = watchClients()
  await using failing = await startFakeAccount(async (response) => {
    await gate.opened
    response.writeHead(503).end()
  })
  await using spare = await startFakeAccount(() => {})
  await using gateway = await createTestGateway({
    clientGone: 'drain',
    plugins: [clients.plugin],
    accounts: [
      accountFor(form.chat, 'failing', failing.url),
      accountFor(form.chat, 'spare', spare.url, { priority: 1 }),
    ],
  })
  const leaving = new AbortController()

  const asked = ask(gateway, form.chat, { stream: false, signal: leaving.signal })
  await until(() => failing.requests.length === 1)
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
  await clients.allGone()
  gate.open()

  await gateway.logged(1)
  expect(gateway.log).toEqual([])
  expect(spare.requests).toHaveLength(0)
})
