import { describe, expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { ask } from './asking.ts'
import { form, upToOutput } from './forms.ts'
import { accountFor, createGate, openStream, stage } from './scripted.ts'
import { watchClients } from './watch-clients.ts'

const { responses } = form
const background = { background: true }

describe('a response in the background', () => {
  test('is finished for a client that leaves the stream, however long it takes', async () => {
    const gate = createGate()
    const clients = watchClients()
    await using scene = await stage(
      responses,
      async (response) => {
        openStream(response, upToOutput(responses))
        await gate.opened
        response.end(responses.ending.join(''))
      },
      { timeouts: { drainMs: 1 }, plugins: [clients.plugin] },
    )
    const leaving = new AbortController()

    await ask(scene.gateway, responses, { fields: background, signal: leaving.signal })
    leaving.abort()
    await clients.allGone()
    await severalTicks(scene.gateway.url)
    gate.open()

    const isOurs = ({ route }: { route?: unknown }) => route === 'responses.create'
    await until(() => scene.gateway.accessLog.some(isOurs))
    const line = scene.gateway.accessLog.find(isOurs)
    expect(line).toMatchObject({ stream_end: 'client_gone', response_id: 'resp_1' })
    expect(line).toMatchObject({ input_tokens: 3, output_tokens: 2 })
    expect(scene.account.requests[0]!.aborted).toBe(false)
  })

  test('is finished for a client that leaves before the reply', async () => {
    const gate = createGate()
    const clients = watchClients()
    await using scene = await stage(
      responses,
      async (response) => {
        await gate.opened
        response.end(JSON.stringify(responses.reply))
      },
      { plugins: [clients.plugin] },
    )
    const leaving = new AbortController()

    const asked = ask(scene.gateway, responses, {
      stream: false,
      fields: background,
      signal: leaving.signal,
    })
    await until(() => scene.account.requests.length === 1)
    leaving.abort()
    await expect(asked).rejects.toThrow('aborted')
    await clients.allGone()
    gate.open()

    const [line] = await scene.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'client_gone', response_id: 'resp_1' })
    expect(scene.account.requests[0]!.aborted).toBe(false)
  })

  test.each([{ stream: true }, { stream: false }])(
    'is asked of another account when the first refuses it (stream: $stream)',
    async ({ stream }) => {
      const gate = createGate()
      const clients = watchClients()
      await using failing = await startFakeAccount(async (response) => {
        await gate.opened
        response.writeHead(503).end()
      })
      await using spare = await startFakeAccount((response) => {
        if (!stream) return void response.end(JSON.stringify(responses.reply))
        openStream(response, upToOutput(responses))
        response.end(responses.ending.join(''))
      })
      await using gateway = await createTestGateway({
        plugins: [clients.plugin],
        accounts: [
          accountFor(responses, 'failing', failing.url),
          accountFor(responses, 'spare', spare.url, { priority: 1 }),
        ],
      })
      const leaving = new AbortController()

      const asked = ask(gateway, responses, { stream, fields: background, signal: leaving.signal })
      await until(() => failing.requests.length === 1)
      leaving.abort()
      await expect(asked).rejects.toThrow('aborted')
      await clients.allGone()
      gate.open()

      await until(() => spare.requests.length === 1, 3_000)
      const [line] = await gateway.logged(1)
      expect(line).toMatchObject({ account: 'spare', response_id: 'resp_1' })
      expect(spare.requests[0]!.aborted).toBe(false)
      expect(gateway.log).toEqual([])
    },
  )
})

/** The gateway's deadlines have been looked at more than once. */
async function severalTicks(url: string): Promise<void> {
  const started = performance.now()
  await until(async () => {
    await fetch(`${url}/livez`)
    return performance.now() - started > 300
  })
}
