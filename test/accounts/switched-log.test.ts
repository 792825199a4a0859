import { expect, test } from 'vitest'

import pipeline from '../../config/gateway.config.ts'
import { createLog } from '../../src/lib/log.ts'
import { startGateway } from '../../src/runtime/start-gateway.ts'
import { openStore } from '../../src/stores/open.ts'
import { setEnabled } from '../../src/stores/operator-states.ts'
import { until } from '../../src/testing/until.ts'

test('the log says that an account is disabled when no call goes to it any more', async () => {
  const events: string[] = []
  const store = await openStore('memory:', { cwd: '/' })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => store.close())
  const account = {
    provider: 'sandbox',
    baseUrl: 'http://127.0.0.1:9',
    apiKey: 'key',
    models: ['*'],
  }
  const running = stack.use(
    await startGateway({
      pipeline,
      config: { keys: [{ id: 'mine', secret: 'secret' }], accounts: [{ id: 'a', ...account }] },
      store,
      log: createLog({
        write: (line) => {
          if (line.includes('accounts enabled/disabled')) events.push('logged')
        },
      }),
      onSnapshot: ({ accounts }) => {
        events.push(accounts.some(({ enabled }) => enabled) ? 'enabled' : 'disabled')
      },
    }),
  )
  await setEnabled(store, 'account', 'a', false)
  await running.accountStates.catchUp()
  await until(() => events.length >= 2)
  expect(events).toEqual(['disabled', 'logged'])
})
