import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import type { TestGateway, TestGatewayOptions } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { ask, receive } from './asking.ts'
import { form, wholeStream } from './forms.ts'
import { accountFor, openStream } from './scripted.ts'
import { askWithoutReading, bigFrame, flood, type Flood, untilStuck } from './slow-reader.ts'

const megabyte = 1024 * 1024
const { chat } = form
const kilobyteFrame = bigFrame(chat, 1024)

test('200 slow streams and a client that stops reading need little memory', async () => {
  const slow: ServerResponse[] = []
  const floods: Flood[] = []
  await using account = await startFakeAccount((response, { body }) => {
    const { model } = JSON.parse(body.toString()) as { model: string }
    if (model === 'short') {
      openStream(response)
      return void response.end(wholeStream(chat).join(''))
    }
    openStream(response, chat.announcements)
    if (model === 'slow') slow.push(response)
    else floods.push(flood(response, bigFrame(chat, 16_000)))
  })
  await using gateway = await startGatewayProcess({
    accounts: [accountFor(chat, 'only', account.url)],
  })
  for (let round = 0; round < 5; round++) await settle(40, () => streamOf(gateway, 'short'))
  const before = await gateway.rss()

  const stalled = await askWithoutReading(gateway, chat)
  const streams = Array.from({ length: 200 }, () => streamOf(gateway, 'slow'))
  await until(() => slow.length === 200)
  await untilStuck(floods[0]!)
  let most = 0
  for (let round = 0; round < 20; round++) {
    for (const response of slow) response.write(kilobyteFrame)
    most = Math.max(most, await gateway.rss())
  }
  expect(floods[0]!.written).toBeLessThan(32 * megabyte)
  for (const response of slow) response.end(chat.ending.join(''))
  const received = await Promise.all(streams)
  stalled.leave()
  await until(() => floods[0]!.closed)

  const whole = [...chat.announcements, ...Array.from({ length: 20 }, () => kilobyteFrame)]
  const text = [...whole, ...chat.ending].join('')
  expect(received.every((one) => one.text === text && !one.reset)).toBe(true)
  expect(most - before).toBeLessThan(150 * megabyte)
})

async function streamOf(gateway: GatewayProcess, model: string) {
  return receive(await ask(gateway, chat, { model }))
}

function settle(count: number, run: () => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, run))
}

interface GatewayProcess extends Pick<TestGateway, 'url' | 'key'>, AsyncDisposable {
  /** Bytes of memory that the process holds. */
  rss(): Promise<number>
}

async function startGatewayProcess(options: TestGatewayOptions): Promise<GatewayProcess> {
  const script = fileURLToPath(new URL('memory-gateway.ts', import.meta.url))
  const child = fork(script, [JSON.stringify(options)], { execArgv: [] })
  const [{ url, key }] = (await once(child, 'message')) as [{ url: string; key: string }]
  return {
    url,
    key,
    async rss() {
      child.send('rss')
      const [{ rss }] = (await once(child, 'message')) as [{ rss: number }]
      return rss
    },
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
