import { test, vi } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from '../cli/dragoman.ts'
import { follow } from './live-client.ts'
import {
  topics,
  key,
  startUpstream,
  call,
  ofType,
  followJob,
  causeAll,
  expectClean,
} from './live-topics.ts'

vi.setConfig({ testTimeout: 90_000 })

test('two workers: a subscriber of one gets each topic of both, and the reload of a signal', async () => {
  const { upstream, video, accounts } = await startUpstream()
  await using _upstream = upstream
  await using folder = await openPlace()
  const token = `dga_${'t'.repeat(40)}`
  const config = { keys: [{ id: 'team', secret: key }], accounts, store: 'file:store' }
  await folder.write('dragoman.config.json', JSON.stringify(config))
  const server = folder.start(`${anyPorts} --workers 2`, { DRAGOMAN_ADMIN_TOKEN: token })
  const { clients, operators } = await addressesOf(server)
  const place = { url: clients, adminUrl: operators, token }
  using all = follow(operators, token, topics)
  const sendersOf = (type: string) =>
    new Set(ofType(all, type).map(({ processId, exchange }) => processId ?? exchange?.processId))
  await until(async () => {
    await call(place, 'fine')
    const isMerged = ofType(all, 'PulseSample').some(({ processes }) => processes === 2)
    return sendersOf('ExchangeEnded').size === 2 && isMerged
  }, 30_000)
  await causeAll(all, place)
  await until(() => sendersOf('AccountChanged').size === 2)
  await followJob(all, place, video)

  const changed = {
    ...config,
    keys: [...config.keys, { id: 'late', secret: 'late-secret-canary' }],
  }
  await folder.write('dragoman.config.json', JSON.stringify(changed))
  server.child.kill('SIGHUP')
  await until(() => sendersOf('ConfigurationChanged').size === 2)
  await until(() =>
    ofType(all, 'AuditRecorded').some(
      ({ entry }) => entry?.action === 'configuration.reload' && entry.result === 'DONE',
    ),
  )
  expectClean(all)
})
