import { expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { until } from '../../src/testing/until.ts'
import { startService } from '../requests/service.ts'
import { expectError } from './envelope.ts'

const chunk = '{"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":null}]}'

/** A plugin may fail, or answer otherwise, when the upstream's stream is there already. */
const abandoning: Record<string, Omit<GatewayPlugin, 'name'>> = {
  'onExchange that fails': {
    async onExchange({ next }) {
      await next()
      throw new Error('too late')
    },
  },
  'onCall that fails': {
    async onCall({ next }) {
      await next()
      throw new Error('too late')
    },
  },
  'onAttempt that fails': {
    async onAttempt({ next }) {
      await next()
      throw new Error('too late')
    },
  },
}

test.each(Object.entries(abandoning))('an %s lets go of the upstream', async (_, hooks) => {
  const plugins = [definePlugin({ name: 'late', ...hooks })]
  await using service = await startService({ plugins }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${chunk}\n\n`)
  })
  const { error } = await expectError('chat', await service.ask('chat', { stream: true }), 500)
  expect(error.message).not.toContain('too late')
  await until(() => service.received().aborted, 3_000)
})

test('an onCall that answers otherwise lets go of the upstream', async () => {
  const cached = { status: 200, headers: {}, body: '{"cached":true}' }
  const plugin = definePlugin({ name: 'cache', onCall: ({ next }) => next().then(() => cached) })
  await using service = await startService({ plugins: [plugin] }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${chunk}\n\n`)
  })
  expect(await (await service.ask('chat', { stream: true })).json()).toEqual({ cached: true })
  await until(() => service.received().aborted, 3_000)
})
