import { describe, expect, test } from 'vitest'

import type { Ended } from '../../src/contract/exchange.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { ask } from '../walks/streams/asking.ts'
import { type Form, forms, wholeStream } from '../walks/streams/forms.ts'
import { accountFor, createGate, openStream } from '../walks/streams/scripted.ts'
import { key, metricsStage } from './metrics/stage.ts'
import { tracedStage } from './traces/stage.ts'
import { spanOf } from './traces/whole.ts'

const timeouts = { keepAliveMs: 100, holdMs: 50, idleMs: 10_000 }

/** An account that announces a stream, and writes its output when the gate opens. */
async function startLateAccount(form: Form) {
  const gate = createGate()
  const account = await startFakeAccount(async (response) => {
    openStream(response, form.announcements)
    await gate.opened
    response.end([...form.output, ...form.ending].join(''))
  })
  return {
    url: account.url,
    answer: () => gate.open(),
    async [Symbol.asyncDispose]() {
      gate.open()
      await account[Symbol.asyncDispose]()
    },
  }
}

describe.each(forms)('the first output of a $name stream', (form) => {
  test('is later than the keep-alive or the start frames that its client got', async () => {
    await using account = await startLateAccount(form)
    const ended: Ended[] = []
    const watcher = definePlugin({
      name: 'watcher',
      onEnd: ({ exchange }) => void ended.push(exchange),
    })
    await using gateway = await createTestGateway({
      accounts: [accountFor(form, 'late', account.url)],
      plugins: [watcher],
      timeouts,
    })

    const response = await ask(gateway, form)
    const reader = response.body!.getReader()
    await reader.read()
    const committedAt = performance.now()
    account.answer()
    while (!(await reader.read()).done);

    const [line] = await gateway.logged(1)
    const [{ receivedAt, progress }] = ended as [Ended]
    expect(progress.firstOutputAt).toBeGreaterThan(committedAt)
    expect(line?.['ttft_ms']).toBeCloseTo(progress.firstOutputAt! - receivedAt, 1)
  })

  test('is known of a stream that arrives as one piece', async () => {
    await using account = await startFakeAccount((response) => {
      openStream(response)
      response.end(wholeStream(form).join(''))
    })
    await using gateway = await createTestGateway({
      accounts: [accountFor(form, 'quick', account.url)],
    })
    await (await ask(gateway, form)).text()
    const [line] = await gateway.logged(1)
    expect(line).toHaveProperty('ttft_ms', expect.any(Number))
  })
})

const responses = forms.find(({ name }) => name === 'responses')!

test('a stream that its client leaves before any output has no time to a first token', async () => {
  await using account = await startLateAccount(responses)
  const accounts = [accountFor(responses, 'late', account.url)]
  await using stage = await metricsStage({ accounts, timeouts })
  const leaving = new AbortController()
  const response = await ask({ url: stage.url, key }, responses, { signal: leaving.signal })
  await response.body!.getReader().read()
  leaving.abort()
  const left = 'dragoman_streams_ended_total{dialect="responses",reason="client_cancelled"}'
  expect(await stage.sample(left)).toBe(1)
  expect((await stage.scrape()).text).not.toContain('time_to_first_token_seconds_count')
})

test('its span has no first chunk', async () => {
  await using account = await startLateAccount(responses)
  const accounts = [accountFor(responses, 'late', account.url)]
  await using stage = await tracedStage({ accounts, timeouts })
  const leaving = new AbortController()
  const response = await ask(stage.gateway, responses, { signal: leaving.signal })
  await response.body!.getReader().read()
  leaving.abort()
  const [line] = await stage.gateway.logged(1)
  expect(line).not.toHaveProperty('ttft_ms')
  const call = spanOf(await stage.traceOf(response), 'chat')
  expect(call.events).toEqual([])
  expect(call.attributes).not.toHaveProperty('gen_ai.response.time_to_first_chunk')
})
