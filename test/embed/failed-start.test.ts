import { expect, test } from 'vitest'

import { type Config, ConfigurationError, definePlugin } from '../../src/index.ts'
import { embedGateway } from './host.ts'

const sink = {
  writableLength: 0,
  write(_text: string, written?: () => void) {
    written?.()
    return true
  },
}

const unknownProvider: Config = {
  store: 'memory:',
  keys: [{ id: 'host', secret: 'host-secret' }],
  accounts: [{ id: 'a', provider: 'opnai', models: ['*'] }],
}

async function failureOf(config: Config): Promise<unknown> {
  return embedGateway(config, sink).then(
    () => undefined,
    (error: unknown) => error,
  )
}

test('a start that fails disposes the plugins that it made, each once', async () => {
  const disposed: string[] = []
  const plugin = (name: string) => definePlugin({ name, onDispose: () => void disposed.push(name) })
  const failing = definePlugin({
    name: 'failing',
    onDispose: () => {
      throw new Error('no end')
    },
  })

  const failure = await failureOf({
    ...unknownProvider,
    plugins: [plugin('first'), failing, plugin('last')],
  })

  expect(failure).toBeInstanceOf(ConfigurationError)
  expect(disposed).toEqual(['last', 'first'])
})

test('a start names the problems of plugins and of accounts together', async () => {
  const failure = await failureOf({
    ...unknownProvider,
    plugins: [definePlugin({ name: 'access-log' })],
  })

  expect(String(failure)).toContain('access-log')
  expect(String(failure)).toContain('opnai')
})
