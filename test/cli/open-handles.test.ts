import { expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { addressesOf, withoutAdmin, openPlace } from './dragoman.ts'
import { placeThatHolds } from './open-handles.ts'

const commands = [
  ['check', 'Pipeline'],
  ['keys list', 'team'],
  ['accounts list', 'openai'],
] as const

test.concurrent.each(dailyRows(commands))(
  '%s ends although the configuration holds timers and handles',
  async (command, words) => {
    await using place = await placeThatHolds()
    const { code, stdout } = await place.run(command)
    expect([code, stdout]).toEqual([0, expect.stringContaining(words)])
  },
)

test.concurrent.each(dailyRows(['', ' --workers 2']))(
  'a stopped gateway%s ends, and names the plugin that does not',
  async (workers) => {
    await using place = await placeThatHolds()
    const server = place.start(withoutAdmin + workers)
    await addressesOf(server)
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
    expect(server.output.stderr).toContain('holder: onDispose failed')
  },
  60_000,
)

test.concurrent('all of a long output arrives before the process ends', async () => {
  await using place = await openPlace()
  const accounts = Array.from({ length: 3_000 }, (_, index) => ({
    id: `account-${index}`,
    provider: 'openai',
    apiKey: 'k',
    models: [`model-${index}-${'x'.repeat(50)}`],
  }))
  await place.write('dragoman.config.json', JSON.stringify({ accounts }))
  const { stdout } = await place.run('accounts list')
  expect(stdout.split('account-2999').length).toBe(2)
})
